import { type Operation, operations } from '@signpost/contract';
import { type CallOptions, createTestApi, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createIds, parseId, type Uuid } from '../../kernel/ids.ts';
import { sql } from '../../platform/postgres/postgres.ts';
import { markUsedUp } from '../targets/used-up.ts';
import { createPauseAllCodes } from './pause-all.ts';

let api: TestApi;
let owner: TestAccount;
beforeAll(async () => {
  api = await createTestApi({ DATABASE_TIMEOUT_MS: '30000' });
  owner = await api.account();
});
afterAll(() => api?.close());

type Code = { readonly id: string; readonly external_id: string; readonly revision: number };

const call = (options: CallOptions) => api.call({ key: owner.live, ...options });
const read = async (code: Pick<Code, 'id'>) => (await call({ url: `/v1/qrcodes/${code.id}` })).body;
const menu = { name: 'Menu', destination_url: 'https://example.com/' };

let made = 0;

/** A code with a placement, so that it has been changed once. */
async function make(): Promise<Code> {
  const body = { ...menu, external_id: `condition-${made++}`, tags: ['all'] };
  const { id } = (await call({ method: 'POST', url: '/v1/qrcodes', body })).body;
  const door = { key: 'door', name: 'Door' };
  await call({ method: 'POST', url: `/v1/qrcodes/${id}/placements`, body: door });
  return await read({ id });
}

const writes = Object.values<Operation>(operations).filter(
  ({ method, path }) => method !== 'GET' && /^[/]v1[/](?:qrcodes|tags)/.test(path),
);
const idsOf = (found: readonly Operation[]) => found.map(({ id }) => id);

/** A call of each operation that changes the code in its path. */
const changes: Readonly<Record<string, (code: Code) => CallOptions>> = {
  updateQrCode: ({ id }) => ({ method: 'PATCH', url: `/v1/qrcodes/${id}`, body: { name: 'New' } }),
  deleteQrCode: ({ id }) => ({ method: 'DELETE', url: `/v1/qrcodes/${id}` }),
  upsertQrCode: code => ({
    method: 'PUT',
    url: `/v1/qrcodes/ext:${code.external_id}`,
    body: { ...menu, name: 'New' },
  }),
  createPlacement: ({ id }) => ({
    method: 'POST',
    url: `/v1/qrcodes/${id}/placements`,
    body: { key: 'window', name: 'Window' },
  }),
  bulkCreatePlacements: ({ id }) => ({
    method: 'POST',
    url: `/v1/qrcodes/${id}/placements/bulk`,
    body: { items: ['1', '2'].map(key => ({ key, name: key })) },
  }),
  updatePlacement: ({ id }) => ({
    method: 'PATCH',
    url: `/v1/qrcodes/${id}/placements/door`,
    body: { name: 'Back door' },
  }),
  deletePlacement: ({ id }) => ({ method: 'DELETE', url: `/v1/qrcodes/${id}/placements/door` }),
};

/** A call of each operation that may change several codes, and what it would do. */
const several: Readonly<Record<string, (code: Code) => CallOptions>> = {
  bulkCreateQrCodes: () => ({ method: 'POST', url: '/v1/qrcodes/bulk', body: { items: [menu] } }),
  bulkEditQrCodes: ({ id }) => ({
    method: 'PATCH',
    url: '/v1/qrcodes/bulk',
    body: { ids: [id], set: { note: 'x' } },
  }),
  bulkDeleteQrCodes: ({ id }) => ({
    method: 'POST',
    url: '/v1/qrcodes/bulk-delete',
    body: { ids: [id], expected_count: 1 },
  }),
  updateTag: () => ({ method: 'PATCH', url: '/v1/tags/all', body: { color: 'red' } }),
  deleteTag: () => ({ method: 'DELETE', url: '/v1/tags/all' }),
};

test('every operation that may change a code takes If-Match, or refuses it', () => {
  expect(idsOf(writes.filter(({ ifMatch }) => ifMatch === 'code'))).toEqual(Object.keys(changes));
  expect(idsOf(writes.filter(({ ifMatch }) => ifMatch === 'refused'))).toEqual(Object.keys(several));
  // One makes a code, one changes nothing, and one makes a link to its figures.
  const others = ['createQrCode', 'testRules', 'createQrCodeShareLink'];
  expect(idsOf(writes.filter(({ ifMatch }) => !ifMatch))).toEqual(others);
});

const met = ['absent', '"N"', 'N', '"999", "N"', 'W/"N", "N"', '*'];
const unmet = ['"N-1"', 'N-1', '"999"', '"999", "N-1"', 'W/"N"', 'W/"N", W/"x"'];
const malformed = ['', '"x"', 'x', '"N', '"N" "N-1"', '*, "N"', 'N, 999'];
const headersFor = (condition: string, { revision }: Code): Record<string, string> =>
  condition === 'absent'
    ? {}
    : { 'if-match': condition.replaceAll('N-1', String(revision - 1)).replaceAll('N', String(revision)) };

describe.each(Object.keys(changes))('%s', id => {
  const change = (code: Code, headers: Record<string, string>) => call({ ...changes[id]!(code), headers });

  test.each(met)('with If-Match: %s is done, and the revision rises by one', async condition => {
    const code = await make();
    const answer = await change(code, headersFor(condition, code));
    expect(answer.status, answer.text).toBeLessThan(300);
    if (id === 'deleteQrCode') {
      expect((await call({ url: `/v1/qrcodes/${code.id}` })).status).toBe(404);
      return;
    }
    expect(answer.headers.etag).toBe(`"${code.revision + 1}"`);
    expect((await read(code)).revision).toBe(code.revision + 1);
  });

  test.each([
    ...unmet.map(condition => [condition, 412, 'precondition_failed'] as const),
    ...malformed.map(condition => [condition, 400, 'invalid_request'] as const),
  ])('with If-Match: %s changes nothing and answers %i', async (condition, status, error) => {
    const code = await make();
    const answer = await change(code, headersFor(condition, code));
    expect([answer.status, answer.body.error.code]).toEqual([status, error]);
    expect(answer.headers).not.toHaveProperty('etag');
    expect(await read(code)).toEqual(code);
  });
});

test.each(Object.keys(several))('%s refuses every If-Match, and changes nothing', async id => {
  const code = await make();
  const total = async () => (await call({ url: '/v1/qrcodes' })).body.pagination.total;
  const before = await total();
  for (const header of ['*', `"${code.revision}"`, 'x']) {
    const answer = await call({ ...several[id]!(code), headers: { 'if-match': header } });
    expect([answer.status, answer.body.error.param]).toEqual([400, 'If-Match']);
  }
  expect(await read(code)).toEqual(code);
  expect(await total()).toBe(before);
});

describe('an upsert', () => {
  const put = (name: string, headers: Record<string, string>) =>
    call({ method: 'PUT', url: `/v1/qrcodes/ext:${name}`, body: menu, headers });
  const exists = async (name: string) => (await call({ url: `/v1/qrcodes/ext:${name}` })).status === 200;

  test('with any If-Match creates nothing', async () => {
    for (const header of ['*', '"0"', 'W/"0"']) {
      expect((await put('none', { 'if-match': header })).status).toBe(412);
      expect(await exists('none')).toBe(false);
    }
  });

  test('with If-None-Match: * only creates', async () => {
    const first = await put('once', { 'if-none-match': '*' });
    expect([first.status, first.headers.etag]).toEqual([201, '"0"']);
    const second = await put('once', { 'if-none-match': '*' });
    expect([second.status, second.body.error.code]).toEqual([412, 'precondition_failed']);
    expect((await put('once', { 'if-none-match': '"0"' })).status).toBe(200);
  });

  test('with If-None-Match: * creates one code, however many are sent at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => put('race', { 'if-none-match': '*' })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(412)]);
  });
});

test('of many changes that are based on one revision, one is made', async () => {
  const code = await make();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      call({
        method: 'PATCH',
        url: `/v1/qrcodes/${code.id}`,
        body: { name: `Name ${n}` },
        headers: { 'if-match': `"${code.revision}"` },
      }),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(412)]);
});

test('a read names the revision, compressed or not, and answers 200 whatever If-None-Match says', async () => {
  const code = await make();
  const note = 'n'.repeat(2000);
  const url = `/v1/qrcodes/${code.id}`;
  const written = await call({ method: 'PATCH', url, body: { note } });
  const etag = `"${code.revision + 1}"`;
  expect(written.headers.etag).toBe(etag);
  for (const encoding of ['identity', 'gzip', 'br'])
    for (const header of [etag, '*', '"0"']) {
      const headers = { 'accept-encoding': encoding, 'if-none-match': header };
      const answer = await call({ url, headers });
      expect([answer.status, answer.headers.etag]).toEqual([200, etag]);
      expect(answer.headers['content-encoding'] ?? 'identity').toBe(encoding);
    }
});

test('a 412 is not stored for its Idempotency-Key: with the right revision the same call is made', async () => {
  const code = await make();
  const add = (ifMatch: string) =>
    call({ ...changes.createPlacement!(code), headers: { 'if-match': ifMatch, 'idempotency-key': 'place' } });
  expect((await add('"99"')).status).toBe(412);
  expect((await add(`"${code.revision}"`)).status).toBe(201);
});

describe('the revision', () => {
  /** What the owner of a code can set. Where tags are renamed or merged, only their number counts. */
  function settingsOf(code: Record<string, unknown>, isRenaming: boolean) {
    const { name, destination_url, status, archived, note, external_id, metadata } = code;
    const { tags, rules, placements } = code;
    const { fallback_url, starts_at, expires_at, max_scans, forward_query, append_query } = code;
    const routing = { rules, fallback_url, starts_at, expires_at, max_scans, forward_query, append_query };
    const all = {
      name,
      destination_url,
      status,
      archived,
      note,
      external_id,
      metadata,
      placements,
      ...routing,
    };
    return JSON.stringify([all, isRenaming ? (tags as string[]).length : tags]);
  }

  const pick = fc.nat({ max: 2 });
  const patches = [
    (n: number) => ({ name: `Name ${n}` }),
    (n: number) => ({ destination_url: `https://example.com/${n}` }),
    (n: number) => ({ active: n > 0 }),
    (n: number) => ({ archived: n > 0 }),
    (n: number) => ({ note: n === 0 ? null : `Note ${n}` }),
    (n: number) => ({ metadata: { a: n === 0 ? null : String(n) } }),
    (n: number) => ({ rules: n === 0 ? [] : [{ to: [{ url: `https://example.com/rule/${n}` }] }] }),
    (n: number) => ({ fallback_url: n === 0 ? null : `https://example.com/fallback/${n}` }),
    (n: number) => ({ starts_at: n === 0 ? null : `2030-01-0${n}T00:00:00Z` }),
    (n: number) => ({ expires_at: n === 0 ? null : `2031-01-0${n}T00:00:00Z` }),
    (n: number) => ({ max_scans: n === 0 ? null : 1000 * n }),
    (n: number) => ({ forward_query: n > 0 }),
    (n: number) => ({ append_query: n === 0 ? {} : { a: 'x', b: String(n) } }),
    (n: number) => ({ name: `Name ${n}`, note: 'Two at once' }),
    () => ({}),
  ];
  /** What is done at random, to one of two codes. Of tags each word is one; the other names are what they are renamed to. */
  const action = fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record({
        kind: fc.constant('patch'),
        which: fc.nat({ max: patches.length - 1 }),
        n: pick,
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('tags'), which: fc.nat({ max: 3 }), n: pick }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('bulk'), which: fc.nat({ max: 4 }), n: pick }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('place'), which: fc.nat({ max: 2 }), n: pick }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('tag'), which: fc.nat({ max: 3 }), n: pick }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('scan'), which: pick, n: pick }) },
  );

  test('rises by one with every change of what the owner can set, and with nothing else', async () => {
    const codes = [await make(), await make()];
    const ids = codes.map(({ id }) => parseId('qr', id)!);
    const steps = ciScale(2000, 150);
    let [rises, noOps] = [0, 0];
    let before = await Promise.all(codes.map(read));
    const random = fc.sample(fc.tuple(action, fc.nat({ max: 1 })), { seed: 41, numRuns: steps });
    for (const [step, [{ kind, which, n }, at]] of random.entries()) {
      const url = `/v1/qrcodes/${codes[at]!.id}`;
      if (kind === 'patch') await call({ method: 'PATCH', url, body: patches[which]!(n) });
      if (kind === 'tags') {
        const tags = [[], ['red'], ['RED', 'green'], ['green', 'blue']][which];
        await call({ method: 'PATCH', url, body: { tags } });
      }
      if (kind === 'bulk') {
        const sets = [
          { note: `Note ${n}` },
          { tags_add: ['red'] },
          { tags_remove: ['red'] },
          { active: n > 0 },
          { archived: n > 0 },
        ];
        const body = { ids: codes.map(({ id }) => id), set: sets[which] };
        await call({ method: 'PATCH', url: '/v1/qrcodes/bulk', body });
      }
      if (kind === 'place') {
        const body = { name: `Place ${n}` };
        if (which === 0)
          await call({ method: 'POST', url: `${url}/placements`, body: { ...body, key: `p${n}` } });
        if (which === 1) await call({ method: 'PATCH', url: `${url}/placements/p${n}`, body });
        if (which === 2) await call({ method: 'DELETE', url: `${url}/placements/p${n}` });
      }
      if (kind === 'tag') {
        if (which === 0) await call({ method: 'PATCH', url: '/v1/tags/red', body: { name: `red ${step}` } });
        if (which === 1) await call({ method: 'PATCH', url: '/v1/tags/green', body: { color: 'teal' } });
        // Merged, if both are there.
        if (which === 2) await call({ method: 'PATCH', url: '/v1/tags/green', body: { name: 'blue' } });
        if (which === 3) await call({ method: 'DELETE', url: '/v1/tags/blue' });
      }
      if (kind === 'scan') {
        await api.api.db.query(countScans, [ids[at], 400]);
        await api.api.db.transaction(tx => markUsedUp(tx, [{ id: ids[at]!, totalScans: 100_000 }]));
      }
      const after = await Promise.all(codes.map(read));
      for (const [index, code] of after.entries()) {
        const isRenaming = kind === 'tag' && which !== 3;
        const changed = settingsOf(code, isRenaming) !== settingsOf(before[index], isRenaming) ? 1 : 0;
        expect([step, kind, which, n, code.revision]).toEqual([
          step,
          kind,
          which,
          n,
          before[index].revision + changed,
        ]);
        rises += changed;
        if (at === index && changed === 0) noOps++;
      }
      before = after;
    }
    console.log(`revision: ${steps} steps, ${rises} rises, ${noOps} that change nothing`);
    expect(rises).toBeGreaterThan(steps / 4);
    expect(noOps).toBeGreaterThan(steps / 10);
  }, 900_000);

  test('stays as it is when the operator suspends and releases the code', async () => {
    const code = await make();
    for (const command of ['suspend-code', 'release-code']) {
      const { short_code: shortCode } = await read(code);
      await api.admin(command, shortCode, ...(command === 'suspend-code' ? ['--reason', 'Phishing'] : []));
      expect((await read(code)).revision).toBe(code.revision);
    }
  });

  test('rises where all codes of an account are paused, for those that were active', async () => {
    const [active, paused] = [await make(), await make()];
    await call({ method: 'PATCH', url: `/v1/qrcodes/${paused.id}`, body: { active: false } });
    const clock = { now: () => new Date() };
    const pauseAll = createPauseAllCodes({
      ids: createIds(clock),
      clock,
      links: { invalidate: async () => {} },
    });
    const accountId = owner.id as Uuid;
    await api.api.db.transaction(tx => pauseAll(tx, accountId, accountId));
    expect((await read(active)).revision).toBe(active.revision + 1);
    expect((await read(paused)).revision).toBe(paused.revision + 1);
  });
});

const countScans = sql(
  'count-scans-of-revision-test',
  `insert into scan_counts (qr_code_id, total_scans) values ($1, $2)
   on conflict (qr_code_id) do update set total_scans = scan_counts.total_scans + $2`,
);
