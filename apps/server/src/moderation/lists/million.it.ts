import { createTestApi, type TestApi } from '@signpost/testing/api.ts';
import { fillTargets } from '@signpost/testing/targets.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { createIds } from '../../kernel/ids.ts';
import { createPostgres, type Postgres, sql } from '../../platform/postgres/postgres.ts';
import { createListCheck, firstTarget } from './list-check.ts';
import { findListed } from './listed.ts';
import { activateGeneration, analyze, startGeneration } from './store.ts';

const million = 1_000_000;
const urlOf = (n: number | string) => `https://host${n}.example/login?id=${n}`;

let api: TestApi;
/** One connection, so that the bare statement and the look-up go the same way. */
let one: Postgres;

beforeAll(async () => {
  api = await createTestApi();
  one = createPostgres({ ...api.config, databasePoolSize: 1, databaseTimeoutMs: 60_000 }, () => {});
});
afterAll(async () => {
  await one?.close();
  await api?.close();
});

/** Milliseconds a call, of as many as there are. */
async function timed(times: number, call: (n: number) => Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  for (let n = 0; n < times; n++) {
    const start = performance.now();
    await call(n);
    took.push(performance.now() - start);
  }
  return took;
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1]!;

test('a look-up among a million listed URLs takes less than 1 ms, and finds codes made before the list came', {
  timeout: 120_000,
}, async () => {
  const { live } = await api.account();
  const make = (destination_url: string) =>
    api.call({ method: 'POST', url: '/v1/qrcodes', key: live, body: { name: 'x', destination_url } });
  for (const n of [1, 500_000, 'not-listed']) await make(urlOf(n));
  await fillTargets(one);

  const generation = await startGeneration(one, 'million');
  const loading = performance.now();
  await one.query(loadMillion, [generation, million]);
  await analyze(one);
  const list = { name: 'million', format: 'urls', importedAt: new Date(), expiresAt: null };
  expect(await activateGeneration(one, generation, { ...list, hosts: 0, urls: million })).toBe(true);
  const loadMs = performance.now() - loading;

  // Both are warm, and take turns, so that a machine with much to do slows both.
  const look = (n: number) => findListed(one, [urlOf((n * 7919) % million)]);
  const bare = () => one.query(sql('select-one', 'select 1'));
  await timed(50, look);
  await timed(50, bare);
  const looks: number[] = [];
  const bares: number[] = [];
  for (let round = 0; round < 10; round++) {
    looks.push(...(await timed(100, n => look(round * 100 + n))));
    bares.push(...(await timed(100, bare)));
  }
  const [lookMs, bareMs] = [median(looks), median(bares)];
  console.log(
    `a million URLs loaded in ${(loadMs / 1000).toFixed(1)} s; a look-up ${lookMs.toFixed(3)} ms, bare select 1 ${bareMs.toFixed(3)} ms, medians of 1,000`,
  );
  expect(lookMs - bareMs).toBeLessThan(1);
  expect(await findListed(one, [urlOf(1), urlOf('not-listed')])).toEqual(new Map([[urlOf(1), 'million']]));
  expect((await make(urlOf(77))).status).toBe(403);

  const links = { invalidate: async () => {}, notify: async () => {} };
  const checking = createListCheck({ db: one, ids: createIds(systemClock), clock: systemClock, links });
  expect(await checking.step(firstTarget)).toMatchObject({ suspended: 2, next: null });
  const rows = await one.query(sql('million-suspended', 'select url from suspensions order by url'));
  expect(rows).toEqual([{ url: urlOf(1) }, { url: urlOf(500_000) }]);
});

/** As an import would load them: what is looked up is the hash of the URL in the form of lists, which these have already. */
const loadMillion = sql(
  'load-a-million',
  `insert into listed_urls (hash, generation)
   select substring(sha256(convert_to('https://host' || n || '.example/login?id=' || n, 'UTF8')) for 16), $1
     from generate_series(0, $2::int - 1) n order by 1`,
);
