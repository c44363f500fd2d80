import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, inParallel } from '@signpost/testing/client.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { startPostgres } from '@signpost/testing/engines/postgres.ts';
import { startRedis } from '@signpost/testing/engines/redis.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { rawGet } from '@signpost/testing/raw-get.ts';
import { TestServer } from '@signpost/testing/server.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let engines: Engine[];
let fixture: Fixture;
let api: TestServer;
let edges: TestServer[];
let key: string;

beforeAll(async () => {
  const [postgres, redis, nats] = await Promise.all([startPostgres(), startRedis(), startNats()]);
  engines = [postgres, redis, nats];
  const urls = { REDIS_URL: redis.url, NATS_URL: nats.url };
  fixture = await createFixture({ ...urls, TRUSTED_PROXIES: '127.0.0.0/8' }, postgres.url);
  api = await fixture.server();
  await fixture.server({}, 'ingest');
  // Each with its own disk, as on machines of their own.
  const disk = () => ({ SPOOL_DIR: mkdtempSync(join(tmpdir(), 'signpost-spool-')) });
  edges = await Promise.all([1, 2, 3].map(() => TestServer.start('redirect', { ...fixture.env, ...disk() })));
  key = (await fixture.account()).live;
});
afterAll(async () => {
  for (const edge of edges ?? []) await edge.end('SIGKILL');
  await fixture?.close();
  for (const engine of engines ?? []) await engine.remove();
});

const site = 'https://fine.example';
const url = () => `${api.url}/v1/qrcodes`;

async function create(more: object = {}) {
  const body = { name: 'Menu', destination_url: `${site}/`, ...more };
  const made = await ask({ method: 'POST', url: url(), key, body });
  expect(made.status).toBe(201);
  return made.body as { id: string; short_code: string; rules: { id: string; to: { id: string }[] }[] };
}
const patch = async (id: string, body: object) => {
  const answer = await ask({ method: 'PATCH', url: `${url()}/${id}`, key, body });
  expect(answer.status).toBe(200);
  return answer.body;
};
const summaryOf = async (id: string, query = '') =>
  (await ask({ url: `${url()}/${id}/analytics${query}`, key })).body;

const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1';
const android =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36';

type Scan = { agent?: string; language?: string; address?: string; method?: string; edge?: TestServer };

/** Where a scan leads: the destination, or the status of the page. */
async function scan(
  path: string,
  { agent = iphone, language = '', address = '203.0.113.7', method, edge }: Scan = {},
) {
  const headers = {
    'user-agent': agent,
    'x-forwarded-for': address,
    ...(language === '' ? {} : { 'accept-language': language }),
  };
  const answer = await ask({
    url: `${(edge ?? edges[0]!).url}/${path}`,
    headers,
    ...(method ? { method } : {}),
  });
  return answer.status === 302 ? answer.headers.location : answer.status;
}

describe('a scan of a code with rules', () => {
  test('is led by the first rule that applies, on every process at once, and counted with it', async () => {
    const code = await create({
      rules: [
        {
          when: { language: ['de'] },
          unless: { device: ['android'] },
          to: [{ url: `${site}/de`, label: 'German' }],
        },
        { when: { device: ['android'] }, to: [{ url: `${site}/play` }] },
        { when: { query: [{ name: 'vip' }] }, to: [{ url: `${site}/vip` }] },
        { active: false, to: [{ url: `${site}/never` }] },
      ],
    });
    const { short_code: path } = code;
    for (const edge of edges) {
      expect(await scan(path, { language: 'de-AT, en;q=0.9', edge })).toBe(`${site}/de`);
      expect(await scan(path, { language: 'en, de;q=0.9', edge })).toBe(`${site}/`);
      expect(await scan(path, { language: 'de', agent: android, edge })).toBe(`${site}/play`);
      expect(await scan(`${path}?vip=1&x=2`, { edge })).toBe(`${site}/vip`);
    }
    // Whatever is not counted is led by the same rules.
    expect(await scan(path, { language: 'de', method: 'HEAD' })).toBe(`${site}/de`);
    expect(await scan(path, { language: 'de', agent: 'Twitterbot/1.0' })).toBe(`${site}/de`);
    await waitUntil('all are stored', async () => (await summaryOf(code.id)).summary.total_scans === 12);
    const { targets, summary } = await summaryOf(code.id);
    expect(targets.map(({ url: to, scans }: { url: string; scans: number }) => [to, scans])).toEqual([
      [`${site}/`, 3],
      [`${site}/de`, 3],
      [`${site}/play`, 3],
      [`${site}/vip`, 3],
      [`${site}/never`, 0],
    ]);
    expect(targets[1]).toMatchObject({
      target_id: code.rules[0]!.to[0]!.id,
      rule_id: code.rules[0]!.id,
      label: 'German',
    });
    expect(summary.unique_visitors).toBe(2);
    const german = `?target_id=${code.rules[0]!.to[0]!.id}`;
    expect((await summaryOf(code.id, german)).summary.total_scans).toBe(3);
    expect((await summaryOf(code.id, `?rule_id=${code.rules[2]!.id}`)).summary.total_scans).toBe(3);
    expect((await summaryOf(code.id, '?rule_id=default')).summary.total_scans).toBe(3);
    const list = (await ask({ url: `${url()}/${code.id}/analytics/scans${german}`, key })).body;
    expect(list.data).toHaveLength(3);
    expect(Object.keys(list.data[0]).slice(-4)).toEqual(['language', 'target_id', 'rule_id', 'placement']);
    const csv = String((await ask({ url: `${url()}/${code.id}/analytics/export`, key })).body);
    expect(csv.split('\r\n')[0]).toMatch(/,is_unique,language,target_id,rule_id,placement$/);
    // An edit holds at once; figures of a target that is gone keep its label.
    await patch(code.id, { rules: [{ to: [{ url: `${site}/new` }] }] });
    for (const edge of edges) expect(await scan(path, { language: 'de', edge })).toBe(`${site}/new`);
    await waitUntil('they are stored', async () => (await summaryOf(code.id)).summary.total_scans === 15);
    const later = (await summaryOf(code.id)).targets;
    expect(later.map(({ scans }: { scans: number }) => scans).sort()).toEqual([3, 3, 3, 3, 3]);
    expect(later.find(({ url: to }: { url: string }) => to === `${site}/de`)).toMatchObject({
      label: 'German',
      scans: 3,
    });
  });

  test('that is split keeps its half, on every process and without a cookie', async () => {
    const code = await create({ rules: [{ to: [{ url: `${site}/a` }, { url: `${site}/b` }] }] });
    const halves = new Map<string, number>();
    await inParallel(200, 8, async n => {
      const address = `198.51.100.${n}`;
      const first = await scan(code.short_code, { address, edge: edges[n % 3]! });
      for (const edge of edges) expect(await scan(code.short_code, { address, edge })).toBe(first);
      halves.set(String(first), (halves.get(String(first)) ?? 0) + 1);
    });
    expect([...halves.keys()].sort()).toEqual([`${site}/a`, `${site}/b`]);
    for (const count of halves.values()) expect(count).toBeGreaterThan(60);
  });

  test('hands on its query only where the owner wants it, and macros by the scan', async () => {
    const plain = await create();
    expect(await scan(`${plain.short_code}?x=1`)).toBe(`${site}/`);
    const code = await create({
      destination_url: `${site}/?own=1#top`,
      forward_query: true,
      append_query: { utm_source: 'qr', utm_content: '{placement}-{device}', id: '{qr_id}' },
    });
    expect(await scan(`${code.short_code}?x=1&own=2`)).toBe(
      `${site}/?own=1&x=1&utm_source=qr&utm_content=-ios&id=${code.id}#top`,
    );
    await patch(code.id, { forward_query: false, append_query: null });
    expect(await scan(`${code.short_code}?x=1`)).toBe(`${site}/?own=1#top`);
  });

  test('hands on 5,000 hostile queries as a URI of RFC 3986, in which what the owner has set wins', async () => {
    const code = await create({
      destination_url: `${site}/p?own=1#top`,
      forward_query: true,
      append_query: { utm_source: 'qr' },
    });
    const hostile = fc.string({
      unit: fc.constantFrom(...'&=?%/@:;\\<>"\'{}[]|^`+', '%0d%0a', '%75tm_source', 'utm_source', 'own', 'x'),
      maxLength: 100,
    });
    let forwarded = 0;
    const queries = fc.sample(hostile, 5000);
    await inParallel(queries.length, 8, async index => {
      const query = queries[index]!;
      const { statusLine, headers } = await rawGet(edges[0]!.url, `/${code.short_code}?${query}`);
      expect(statusLine, query).toContain('302');
      const locations = headers.filter(([name]) => name.toLowerCase() === 'location');
      expect(locations, query).toHaveLength(1);
      const [[, location]] = locations as [readonly [string, string]];
      expect(location).toMatch(
        /^https:\/\/fine\.example\/p\?own=1([\w\-.~!$&'()*+,;=:@/?]|%[\dA-F]{2})*#top$/i,
      );
      const { searchParams } = new URL(location);
      expect([searchParams.getAll('own'), searchParams.getAll('utm_source')], query).toEqual([['1'], ['qr']]);
      if ([...searchParams].length > 2) forwarded++;
    });
    expect(forwarded).toBeGreaterThan(2000);
  });
});

describe('a code that is off', () => {
  test('shows a page or leads to its fallback, by reason, and is no scan', async () => {
    const [future, past] = ['2090-01-01T00:00:00Z', '2020-01-01T00:00:00Z'];
    const fallback_url = `${site}/closed`;
    const codes = {
      not_begun: [await create({ starts_at: future }), await create({ starts_at: future, fallback_url })],
      ended: [await create({ expires_at: past }), await create({ expires_at: past, fallback_url })],
      paused: [await create(), await create({ fallback_url })],
    } as const;
    for (const code of codes.paused) await patch(code.id, { active: false });
    for (const [reason, [bare, sent]] of Object.entries(codes)) {
      expect(await scan(bare.short_code), reason).toBe(404);
      expect(await scan(sent.short_code), reason).toBe(fallback_url);
    }
    const draft = await create({ status: 'draft', fallback_url });
    expect(await scan(draft.short_code)).toBe(404);
    for (const [reason, both] of Object.entries(codes))
      for (const { id } of both)
        await waitUntil(`${reason} is counted`, async () => {
          const { not_redirected: counts, summary } = await summaryOf(id);
          return counts[reason] === 1 && summary.total_scans === 0;
        });
    await patch(codes.not_begun[0].id, { starts_at: null });
    expect(await scan(codes.not_begun[0].short_code)).toBe(`${site}/`);
  });

  test('begins and ends by the clock, in the memory of every process', async () => {
    const soon = (ms: number) => new Date(Date.now() + ms).toISOString();
    const code = await create({ starts_at: soon(2500), expires_at: soon(5000) });
    const all = () => Promise.all(edges.map(edge => scan(code.short_code, { edge })));
    expect(await all()).toEqual([404, 404, 404]);
    await sleep(3000);
    expect(await all()).toEqual([`${site}/`, `${site}/`, `${site}/`]);
    await sleep(2500);
    expect(await all()).toEqual([404, 404, 404]);
  });
});

test('the preview lists the host of every target', async () => {
  const code = await create({
    rules: [{ to: [{ url: 'https://one.example/' }, { url: 'https://two.example/' }] }],
    fallback_url: 'https://three.example/',
  });
  const preview = await ask({
    url: `${edges[0]!.url}/${code.short_code}+`,
    headers: { accept: 'application/json' },
  });
  expect(preview.body.hosts).toEqual(['fine.example', 'one.example', 'three.example', 'two.example']);
});

describe('placements', () => {
  test('lead where the code leads and are counted apart; an unknown key never breaks a print', async () => {
    const code = await create({
      rules: [{ when: { placement: ['till'] }, to: [{ url: `${site}/till` }] }],
    });
    const add = (name: string) =>
      ask({ method: 'POST', url: `${url()}/${code.id}/placements`, key, body: { key: name, name } });
    for (const name of ['window', 'till', 'gone']) expect((await add(name)).status).toBe(201);
    const path = code.short_code;
    expect(await scan(`${path}.gone`)).toBe(`${site}/`);
    await ask({ method: 'DELETE', url: `${url()}/${code.id}/placements/gone`, key });
    expect(await scan(`${path}.till`)).toBe(`${site}/till`);
    const like = [`${path}.window`, `${path}.WINDOW`, `${path}%2Ewindow`, `${path}.window/`];
    const none = [
      `${path}.gone`,
      `${path}.nobody`,
      `${path}.${'x'.repeat(25)}`,
      `${path}.`,
      `${path}.a.b`,
      path,
    ];
    for (const link of [...like, ...none]) expect(await scan(link), link).toBe(`${site}/`);
    for (const link of [`${path}.window/x`, `${path}/.window`, 'robots.txt', 'favicon.ico', 'no-such.window'])
      expect(await scan(link), link).toBe(404);
    const total = 2 + like.length + none.length;
    await waitUntil('all are stored', async () => (await summaryOf(code.id)).summary.total_scans === total);
    const { placements } = await summaryOf(code.id);
    expect(placements.map(({ key: name, scans }: { key: string; scans: number }) => [name, scans])).toEqual([
      ['', none.length],
      ['window', like.length],
      ['till', 1],
      ['gone', 1],
    ]);
    expect((await summaryOf(code.id, '?placement=window')).summary.total_scans).toBe(like.length);
    const preview = await ask({
      url: `${edges[0]!.url}/${path}.window+`,
      headers: { accept: 'application/json' },
    });
    expect(preview.status).toBe(200);
  });

  test('are 1,000 on one code', async () => {
    const code = await create();
    await inParallel(1000, 8, async n => {
      const body = { key: `table-${n}`, name: `Table ${n}` };
      expect((await ask({ method: 'POST', url: `${url()}/${code.id}/placements`, key, body })).status).toBe(
        201,
      );
    });
    await inParallel(50, 8, async n => {
      expect(await scan(`${code.short_code}.table-${n * 20}`, { edge: edges[n % 3]! })).toBe(`${site}/`);
    });
    await waitUntil('all are stored', async () => (await summaryOf(code.id)).summary.total_scans === 50);
    const { placements } = await summaryOf(code.id);
    expect(placements).toHaveLength(1001);
    expect(placements.filter(({ scans }: { scans: number }) => scans === 1)).toHaveLength(50);
  });
});

test('a code with max_scans stops on three redirects after no fewer scans, and within two seconds', async () => {
  const limit = Number(process.env.MAX_SCANS ?? 1000);
  const perSecond = 200;
  const code = await create({ max_scans: limit, fallback_url: `${site}/sold-out` });
  let sent = 0;
  let redirected = 0;
  let reachedMs = 0;
  let lastMs = 0;
  const open = new Set<Promise<void>>();
  const startMs = performance.now();
  while (performance.now() - startMs < (limit / perSecond) * 1000 + 8000) {
    const due = ((performance.now() - startMs) / 1000) * perSecond;
    for (; sent < due; sent++) {
      const edge = edges[sent % 3]!;
      const one = scan(code.short_code, { address: `198.51.${sent % 250}.${sent % 200}`, edge }).then(to => {
        if (to !== `${site}/`) return;
        redirected++;
        if (redirected === limit) reachedMs = performance.now();
        lastMs = performance.now();
      });
      open.add(one);
      void one.finally(() => open.delete(one));
    }
    await sleep(5);
  }
  await Promise.all(open);
  console.log(
    `max_scans ${limit} at ${perSecond}/s: redirected ${redirected}, stopped ${((lastMs - reachedMs) / 1000).toFixed(2)} s after`,
  );
  expect(redirected).toBeGreaterThanOrEqual(limit);
  expect(lastMs - reachedMs).toBeLessThanOrEqual(2000);
  expect((await ask({ url: `${url()}/${code.id}`, key })).body.availability.state).toBe('used_up');
  for (const edge of edges) expect(await scan(code.short_code, { edge })).toBe(`${site}/sold-out`);
  // Raising the limit lets it go on at once.
  await waitUntil('all are counted', async () => {
    const { total_scans: total } = (await ask({ url: `${url()}/${code.id}`, key })).body;
    return total === redirected;
  });
  await patch(code.id, { max_scans: redirected + 10 });
  for (const edge of edges) expect(await scan(code.short_code, { edge })).toBe(`${site}/`);
});

test('with all engines stopped, rules still decide: in memory, and from the snapshot after a restart', async () => {
  const soon = new Date(Date.now() + 1000).toISOString();
  const code = await create({
    rules: [
      { when: { language: ['de'] }, to: [{ url: `${site}/de` }] },
      { when: { placement: ['till'] }, to: [{ url: `${site}/till` }] },
      { when: { date: { from: soon } }, to: [{ url: `${site}/a` }, { url: `${site}/b` }] },
    ],
    append_query: { from: '{device}' },
  });
  await ask({
    method: 'POST',
    url: `${url()}/${code.id}/placements`,
    key,
    body: { key: 'till', name: 'Till' },
  });
  await sleep(1500);
  const answers = async (edge: TestServer) => [
    await scan(code.short_code, { edge, language: 'de' }),
    await scan(`${code.short_code}.till`, { edge }),
    await scan(code.short_code, { edge, address: '198.51.100.1' }),
    await scan(code.short_code, { edge, address: '198.51.100.2' }),
  ];
  const before = await answers(edges[0]!);
  expect(before.slice(0, 2)).toEqual([`${site}/de?from=ios`, `${site}/till?from=ios`]);
  for (const edge of edges) expect(await answers(edge)).toEqual(before);
  // Written when it ends.
  expect(await edges[2]!.end('SIGTERM')).toBe(0);
  for (const engine of engines) await engine.kill('SIGKILL');
  for (const edge of edges.slice(0, 2)) expect(await answers(edge)).toEqual(before);
  await edges[2]!.start();
  // Without PostgreSQL there is no salt of visitors after a restart, so the split is drawn anew.
  expect((await answers(edges[2]!)).slice(0, 2)).toEqual(before.slice(0, 2));
  expect(String((await answers(edges[2]!))[2])).toMatch(/\/[ab]\?from=ios$/);
});
