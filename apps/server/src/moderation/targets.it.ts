import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OperatorCode, type OperatorTarget, operations, type Suspension } from '@signpost/contract';
import { createTestApi, roomyPlan, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { type Browser, dashboardEnv, signUp } from '@signpost/testing/people.ts';
import type Type from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId, parseId } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres/postgres.ts';
import { findRemovedTargets } from '../qrcodes/targets/targets.ts';
import { measureReach } from './suspensions/operator-view.ts';

let api: TestApi;
let db: Database;
let owner: TestAccount;
let operator: Browser;

beforeAll(async () => {
  api = await createTestApi({ ...dashboardEnv, DEFAULT_PLAN: roomyPlan });
  db = api.api.db;
  owner = await api.account();
  operator = await signUp(api);
  await api.admin('set-operator', (operator as Browser & { email: string }).email, 'on', '--unconfirmed');
});
afterAll(() => api.close());

const clean = 'https://clean.example/menu';
const phones = { device: ['ios', 'android'], country: ['DE'] };

/** Where a code can lead, each with the body that leads there. */
const places = {
  default: (url: string) => ({ destination_url: url }),
  rule: (url: string) => ({
    destination_url: clean,
    rules: [{ name: 'Phones', when: phones, to: [{ url }] }],
  }),
  'second target of a split': (url: string) => ({
    destination_url: clean,
    rules: [
      {
        name: 'Test',
        to: [
          { url: `${clean}/a`, weight: 3 },
          { url, label: 'B' },
        ],
      },
    ],
  }),
  fallback: (url: string) => ({ destination_url: clean, fallback_url: url }),
} as const;
type Place = keyof typeof places;
const names = Object.keys(places) as Place[];

/** Without a bad target, whichever it was. */
const cleaned = { destination_url: clean, rules: [], fallback_url: null };

test('the places below are all fields by which a code can lead somewhere', () => {
  const fields = (schema: Type.TSchema, path: string): string[] => {
    if ('x-destination' in schema) return [path];
    const { properties = {}, items } = schema as {
      properties?: Record<string, Type.TSchema>;
      items?: Type.TSchema;
    };
    return [
      ...Object.entries(properties).flatMap(([name, field]) =>
        fields(field, path ? `${path}.${name}` : name),
      ),
      ...(items ? fields(items, `${path}[]`) : []),
    ];
  };
  // A new one must be a place in this file, so that every part of moderation is tested with it. `destination` is an alias.
  expect(fields(operations.createQrCode.body, '').sort()).toEqual([
    'destination',
    'destination_url',
    'fallback_url',
    'rules[].to[].url',
  ]);
});

let count = 0;
const uniqueHost = () => `bad-${++count}.example`;

async function create(body: object, key = owner.live) {
  const made = await api.call({ method: 'POST', url: '/v1/qrcodes', key, body: { name: 'Menu', ...body } });
  expect(made.body).toMatchObject({ id: expect.any(String) });
  return made.body as { id: string; short_url: string; short_code: string };
}
const patch = async (id: string, body: object, key = owner.live) => {
  const answer = await api.call({ method: 'PATCH', url: `/v1/qrcodes/${id}`, key, body });
  expect(answer.status).toBe(200);
  return answer.body;
};
const remove = async (id: string, key = owner.live) =>
  expect((await api.call({ method: 'DELETE', url: `/v1/qrcodes/${id}`, key })).status).toBe(200);
const availability = async (id: string) =>
  (await api.call({ url: `/v1/qrcodes/${id}`, key: owner.live })).body.availability.state;

const lookUp = async (link: string): Promise<OperatorCode[]> =>
  (await operator.call({ url: `/account/operator/codes?link=${encodeURIComponent(link)}` })).body.data;
const suspensionsOf = async (id: string, state = 'open'): Promise<Suspension[]> => {
  const url = `/account/operator/suspensions?state=${state}&limit=100`;
  const { body } = await operator.call({ url });
  return (body.data as Suspension[]).filter(({ qr_code }) => qr_code?.id === id);
};
const evidenceOf = async (id: string): Promise<{ url: string; evidence: Evidence }[]> =>
  db.query(
    sql(
      'evidence-of-code',
      'select url, evidence from suspensions where qr_code_id = $1 and deleted_at is not null',
    ),
    [parseId('qr', id)],
  );
type Evidence = { targets: OperatorTarget[] };
const urls = (targets: readonly OperatorTarget[]) => targets.map(({ url }) => url);

describe.each(names)('a bad host as %s', place => {
  const make = async (host = uniqueHost()) => {
    const url = `https://pay.${host}/login`;
    return { host, url, ...(await create(places[place](url))) };
  };

  test('is shown by every view of the code, with the condition of its rule', async () => {
    const { url, host, short_code: code, short_url: link, id } = await make();
    for (const asked of [code, link, `https://${host}/`]) {
      const [found, ...others] = await lookUp(asked);
      expect(others).toEqual([]);
      expect(urls(found!.targets)).toContain(url);
      expect(found!.targets.every(({ removed_at }) => removed_at === null)).toBe(true);
      expect(await api.admin('who', asked)).toContain(`  leads to ${url}`);
    }
    expect((await lookUp(host))[0]!.targets[0]!.url).toBe(url);
    if (place === 'rule')
      expect(await api.admin('who', code)).toContain(
        `  leads to ${url}  rule 1 "Phones": device ios, android; country DE`,
      );
    if (place === 'second target of a split')
      expect(await api.admin('who', code)).toContain(
        `  leads to ${url}  rule 1 "Test": always, 25 % of scans  label "B"`,
      );
    expect(await api.admin('pause-code', code)).toContain(`  leads to ${url}`);
    await patch(id, { active: true });
    expect(await api.admin('suspend-code', code, '--reason', 'Phishing')).toContain(`  leads to ${url}`);
    const [suspension] = await suspensionsOf(id);
    expect(urls(suspension!.qr_code!.targets)).toContain(url);
    expect(await api.admin('release-code', code)).toContain('Its link works again.');
  });

  test('is in the report about the code', async () => {
    const { url, id, short_url: link } = await make();
    const sent = await api.call({
      method: 'POST',
      url: '/report',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ link, kind: 'phishing', text: 'It asks for my PIN' }).toString(),
    });
    expect(sent.status).toBe(200);
    const { body } = await operator.call({ url: '/account/operator/reports?limit=100' });
    const report = body.data.find((item: { code: OperatorCode }) => item.code.id === id);
    expect(urls(report.code.targets)).toContain(url);
  });

  test('stops the code when it is blocked, is named by the suspension, and holds it until the owner removes it', async () => {
    const { url, host, id, short_code: code } = await make();
    expect(await measureReach(db, host)).toEqual({ codes: 1, domains: 0, accounts: 1 });
    await api.admin('block-host', host);
    expect(await availability(id)).toBe('suspended');
    expect(await suspensionsOf(id)).toMatchObject([{ url, cause: 'host', source: host }]);
    await expect(api.admin('release-code', code)).rejects.toThrow(
      `still leads to ${host}, which is blocked. It can be released once its owner replaces ${url}.`,
    );
    const [{ id: suspension }] = (await suspensionsOf(id)) as [Suspension];
    const release = () =>
      operator.call({
        method: 'POST',
        url: `/account/operator/suspensions/${suspension}/release`,
        body: {},
      });
    expect((await release()).status).toBe(409);
    await patch(id, cleaned);
    // It led there, and that does not hold it any more.
    expect((await release()).status).toBe(200);
    expect(await availability(id)).toBe('live');
    const [found] = await lookUp(code);
    expect(found!.targets.find(target => target.url === url)?.removed_at).toMatch(/^20/);
  });

  test('is released with its host', async () => {
    const { host, id } = await make();
    await api.admin('block-host', host);
    expect(await availability(id)).toBe('suspended');
    expect(await api.admin('unblock-host', host)).toContain('Codes released: 1');
    expect(await availability(id)).toBe('live');
  });

  test('is kept as evidence when the code is deleted, also before its host was marked', async () => {
    const suspended = await make();
    await api.admin('suspend-code', suspended.short_code, '--reason', 'Phishing');
    await remove(suspended.id);
    const [kept] = await evidenceOf(suspended.id);
    expect(urls(kept!.evidence.targets)).toContain(suspended.url);
    expect(await api.admin('who', suspended.short_code)).toContain(`  leads to ${suspended.url}`);
    expect(urls((await lookUp(suspended.short_code))[0]!.targets)).toContain(suspended.url);

    const unmarked = await make();
    await db.query(
      sql(
        'block-without-marking',
        `insert into blocked_hosts (host, reason, created_at) values ($1, '', now())`,
      ),
      [unmarked.host],
    );
    await remove(unmarked.id);
    expect(await evidenceOf(unmarked.id)).toMatchObject([{ url: unmarked.url }]);
  });

  test('that the code no longer has is shown with the day, found by its host, and stops nothing', async () => {
    const { url, host, id, short_code: code } = await make();
    await patch(id, cleaned);
    const day = new Date().toISOString().slice(0, 10);
    for (const asked of [code, `https://${host}/`])
      expect(await api.admin('who', asked)).toMatch(new RegExp(`  led to ${url} .*removed ${day}`));
    expect(await api.admin('who', host)).toContain('Codes that led there earlier: 1');
    expect(await measureReach(db, host)).toEqual({ codes: 0, domains: 0, accounts: 0 });
    expect(await api.admin('block-host', host)).toContain('codes suspended: 0');
    expect(await availability(id)).toBe('live');
    expect(await suspensionsOf(id)).toEqual([]);
    await api.admin('suspend-code', code, '--reason', 'Phishing');
    expect(await api.admin('release-code', code)).toContain('Its link works again.');
    await remove(id);
    // It was neither suspended nor led to a blocked host when it was deleted.
    expect(await evidenceOf(id)).toEqual([]);
  });
});

test('a list finds the bad host in each of these, refuses to have it written, and ignores removed targets', async () => {
  const [current, earlier] = [uniqueHost(), uniqueHost()];
  const made = await Promise.all(
    names.map(async place => {
      const url = `https://${current}/${names.indexOf(place)}`;
      const removed = await create(places[place](`https://${earlier}/`));
      await patch(removed.id, cleaned);
      return { place, url, removed, code: await create(places[place](url)) };
    }),
  );
  const file = join(mkdtempSync(join(tmpdir(), 'signpost-list-')), 'list.txt');
  writeFileSync(file, `${current}\n${earlier}\n`);
  await api.admin('import-list', file, '--name', 'phishing', '--format', 'hosts');
  for (const { place, url, removed, code } of made) {
    expect(await availability(code.id)).toBe('suspended');
    expect(await suspensionsOf(code.id)).toMatchObject([{ url, cause: 'list', source: 'phishing' }]);
    expect(await availability(removed.id)).toBe('live');
    const body = { name: 'Again', ...places[place](url) };
    const refused = await api.call({ method: 'POST', url: '/v1/qrcodes', key: owner.live, body });
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'destination_blocked' } } });
  }
});

describe('evidence', () => {
  const five = {
    destination_url: 'https://e.example/default',
    rules: [
      { to: [{ url: 'https://e.example/rule' }] },
      places['second target of a split']('https://e.example/split').rules[0],
    ],
    fallback_url: 'https://e.example/fallback',
  };
  const kept = [
    ['default', 'https://e.example/default', false],
    ['rule', 'https://e.example/rule', false],
    ['rule', `${clean}/a`, false],
    ['rule', 'https://e.example/split', false],
    ['fallback', 'https://e.example/fallback', false],
    ['rule', 'https://e.example/removed', true],
  ];
  const present = ({ targets }: Evidence) =>
    targets.map(({ kind, url, removed_at }) => [kind, url, removed_at !== null]);

  const makeFive = async (key = owner.live) => {
    const code = await create({ ...five, rules: [{ to: [{ url: 'https://e.example/removed' }] }] }, key);
    await patch(code.id, five, key);
    return code;
  };

  test('of a deleted code has every kind of target', async () => {
    const code = await makeFive();
    await api.admin('suspend-code', code.short_code, '--reason', 'Phishing');
    await remove(code.id);
    const [row] = await evidenceOf(code.id);
    expect(present(row!.evidence)).toEqual(kept);
    const left = sql('left-of-targets', 'select from removed_targets where qr_code_id = $1');
    expect(await db.query(left, [parseId('qr', code.id)])).toEqual([]);
    const output = await api.admin('who', code.short_code);
    for (const [, url] of kept) expect(output).toContain(String(url));
  });

  test('of a closed account has the same for each of its codes', async () => {
    const closing = await api.account();
    const codes = [await makeFive(closing.live), await makeFive(closing.test)];
    await api.admin('suspend-account', formatId('acct', closing.id), '--reason', 'A farm');
    await api.admin('close-account', formatId('acct', closing.id), '--yes');
    for (const { id } of codes) {
      const [row] = await evidenceOf(id);
      expect(present(row!.evidence)).toEqual(kept);
    }
  });
});

test('a code with 120 targets on a host is one row, one code of its reach, and is suspended once', async () => {
  const host = uniqueHost();
  const to = (rule: number) =>
    Array.from({ length: 10 }, (_, n) => ({ url: `https://${host}/${rule}-${n}` }));
  const large = await create({
    destination_url: clean,
    rules: Array.from({ length: 12 }, (_, rule) => ({ to: to(rule) })),
  });
  const small = await create({ destination_url: `https://${host}/` });
  const found = await lookUp(`https://${host}/`);
  expect(found.map(({ id }) => id)).toEqual([small.id, large.id]);
  expect(found[1]!.targets.length).toBe(20);
  expect(found[1]!.more_targets).toBe(101);
  expect(found[1]!.targets.every(({ url }) => url.startsWith(`https://${host}/`))).toBe(true);
  expect((await lookUp(large.short_code))[0]).toMatchObject({ more_targets: 0, targets: { length: 121 } });
  expect(await measureReach(db, host)).toEqual({ codes: 2, domains: 0, accounts: 1 });
  expect(await api.admin('block-host', host)).toContain('codes suspended: 2');
  expect(await suspensionsOf(large.id)).toHaveLength(1);
});

test('a URL that was changed in place counts as removed, once however often it changes', async () => {
  const code = await create(places.rule('https://in-place.example/1'));
  const rules = (await api.call({ url: `/v1/qrcodes/${code.id}`, key: owner.live })).body.rules;
  const point = (url: string) =>
    patch(code.id, { rules: [{ ...rules[0], to: [{ ...rules[0].to[0], url }] }] });
  for (const url of ['2', '1', '3', '1', '2']) await point(`https://in-place.example/${url}`);
  for (const url of ['x', 'y', 'x', 'z'])
    await patch(code.id, { destination_url: `https://was.example/${url}` });
  const [found] = await lookUp(code.short_code);
  const removed = found!.targets.filter(({ removed_at }) => removed_at !== null);
  expect(urls(removed)).toEqual([
    'https://was.example/x',
    'https://was.example/y',
    clean,
    'https://in-place.example/1',
    'https://in-place.example/3',
  ]);
  // Figures have one label per target.
  expect(await findRemovedTargets(db, parseId('qr', code.id)!)).toMatchObject([
    { url: 'https://in-place.example/1' },
  ]);
});

test('at most 1,000 removed targets of a code are stored, the newest', async () => {
  const code = await create({ destination_url: 'https://often.example/0' });
  const fill = sql(
    'fill-removed-targets',
    `insert into removed_targets (qr_code_id, kind, label, url, host, removed_at)
     select $1, 'default', '', 'https://often.example/' || n, 'often.example', now() - n * interval '1 minute'
       from generate_series(1, 1000) n`,
  );
  await db.query(fill, [parseId('qr', code.id)]);
  await patch(code.id, { destination_url: 'https://often.example/new' });
  await patch(code.id, { destination_url: 'https://often.example/newer' });
  const rows = await db.query<{ url: string }>(
    sql('removed-urls', 'select url from removed_targets where qr_code_id = $1 order by removed_at desc'),
    [parseId('qr', code.id)],
  );
  expect(rows.length).toBeLessThanOrEqual(1001);
  expect(rows.slice(0, 3).map(({ url }) => url)).toEqual([
    'https://often.example/new',
    'https://often.example/0',
    'https://often.example/1',
  ]);
  const [found] = await lookUp(code.short_code);
  expect(found!.targets.length + found!.more_targets).toBe(rows.length + 1);
});
