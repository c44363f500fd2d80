import { get, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type BareServer, promisedMs, startBareServer } from '@signpost/testing/bare-server.ts';
import { startMigratedClickHouse } from '@signpost/testing/clickhouse.ts';
import { type Answer, ask, inParallel } from '@signpost/testing/client.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { p99, percentile } from '@signpost/testing/percentile.ts';
import { generateScans } from '@signpost/testing/scan-generator.ts';
import type { TestServer } from '@signpost/testing/server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseId } from '../../apps/server/src/kernel/ids.ts';
import type { ClickHouse } from '../../apps/server/src/platform/clickhouse/clickhouse.ts';

const [slowReaders, askers, scans] = [8, 60, 100_000];
/** So many summaries, or as many as this time allows. */
const [summaries, measuredMs] = [100, 6_000];
const patienceSeconds = 12;

type Tenant = { readonly key: string; readonly code: string };

let engine: Engine;
let clickhouse: ClickHouse;
let world: Fixture;
let servers: readonly [TestServer, TestServer];
let greedy: Tenant;
let quiet: Tenant;
let bare: BareServer;

beforeAll(async () => {
  ({ engine, clickhouse } = await startMigratedClickHouse());
  world = await createFixture({
    CLICKHOUSE_URL: engine.url,
    LOG_LEVEL: 'warn',
    EXPORT_STALL_SECONDS: String(patienceSeconds),
    // What network buffers take is soon used up.
    EXPORT_MIN_KIB_PER_SECOND: '1024',
    // A machine that is held up is no Redis that is away: for one each process would count by itself.
    REDIS_TIMEOUT_MS: '5000',
  });
  servers = [await world.server(), await world.server()];
  bare = await startBareServer();
  greedy = await tenant();
  quiet = await tenant();
});

afterAll(async () => {
  bare.close();
  await world.close();
  await clickhouse.close();
  await engine.remove();
});

/** An account whose one code has many scans. */
async function tenant(): Promise<Tenant> {
  const { id, live: key } = await world.account();
  const body = { name: 'Poster', destination_url: 'https://example.com' };
  const made = await ask({ method: 'POST', url: `${servers[0].url}/v1/qrcodes`, key, body });
  const code = made.body.id;
  const [account, codeId] = [`toUUID('${id}')`, `toUUID('${parseId('qr', code)}')`];
  const days = { fromMs: Date.UTC(2026, 1), days: 200 };
  await generateScans(clickhouse, [{ scans, account, code: codeId, visitors: 100_000, ...days }]);
  return { key, code };
}

/** From the middle of a minute: answered from rows, which takes some time. */
const period = 'start_date=2026-02-03T04:05:06Z&end_date=2026-08-09T10:11:12Z';
const serverFor = (index: number) => servers[index % 2]!.url;
const summaryOf = ({ code }: Tenant) => `/v1/qrcodes/${code}/analytics?${period}`;
const exportOf = ({ code }: Tenant) => `/v1/qrcodes/${code}/analytics/export?${period}`;

type Opened = { readonly response: IncomingMessage; readonly status: number; readonly ms: number };

/** An export of which nothing is read before somebody says so; how it began, and how long that took. */
function open(url: string, key: string): Promise<Opened> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    get(url, { headers: { authorization: `Bearer ${key}` }, agent: false }, response => {
      response.once('readable', () =>
        resolve({ response, status: response.statusCode!, ms: performance.now() - start }),
      );
    }).on('error', reject);
  });
}

/** Whether a file came whole. */
async function readAll(response: IncomingMessage): Promise<boolean> {
  try {
    for await (const _ of response);
  } catch {
    return false;
  }
  return response.complete;
}

/** Summaries of the quiet account, and what a process that does nothing takes to answer beside them. */
async function summaryTimes(): Promise<{ ours: number; bare: number }> {
  const answers: Answer[] = [];
  const bareTimes: number[] = [];
  const start = performance.now();
  for (let index = 0; index < summaries && performance.now() - start < measuredMs; index++) {
    answers.push(await ask({ url: serverFor(index) + summaryOf(quiet), key: quiet.key }));
    bareTimes.push((await ask(bare)).ms);
  }
  expect(byStatus(answers)).toEqual({ 200: answers.length });
  return { ours: p99(answers.map(({ ms }) => ms)), bare: percentile(bareTimes, 0.5) };
}

/** Starts of exports, each of which is left again. */
async function exportStarts(count: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const { response, ms } = await open(serverFor(index) + exportOf(quiet), quiet.key);
    expect(response.statusCode).toBe(200);
    response.destroy();
    times.push(ms);
  }
  return times;
}

/** Asks over and over, and waits as long as it is told to after a refusal. */
function askWithoutEnd(until: AbortSignal): Promise<Answer[][]> {
  return inParallel(askers, askers, async index => {
    const answers: Answer[] = [];
    while (!until.aborted) {
      const url = index % 3 ? `/v1/analytics/aggregate?${period}` : summaryOf(greedy);
      const answer = await ask({ url: serverFor(index) + url, key: greedy.key });
      answers.push(answer);
      const retryAfter = Number(answer.headers['retry-after'] ?? 0);
      await pause(retryAfter * 1000, undefined, { signal: until }).catch(() => undefined);
    }
    return answers;
  });
}

const metric = async (name: string): Promise<number> => {
  const texts = await Promise.all(servers.map(async ({ metricsUrl }) => (await fetch(metricsUrl)).text()));
  const values = texts.map(text => new RegExp(`^${name}.*? ([\\d.]+)$`, 'm').exec(text)?.[1]);
  return values.reduce((sum, value) => sum + Number(value ?? 0), 0);
};

const byStatus = (answers: readonly { readonly status: number }[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, { length }]) => [status, length]),
  );

describe('an account with slow readers and more questions than are answered at a time', () => {
  test('holds up no other account, is told to wait, and can export again', async () => {
    // The first requests of a process compile and load what later ones find.
    await exportStarts(4);
    await summaryTimes();
    const quietTimes = await summaryTimes();
    const quietStarts = await exportStarts(6);

    const begun = performance.now();
    const readers = await inParallel(slowReaders, slowReaders, index =>
      open(serverFor(index) + exportOf(greedy), greedy.key),
    );
    const refusals = readers.filter(({ response }) => response.statusCode !== 200);
    const ending = new AbortController();
    const asking = askWithoutEnd(ending.signal);
    const held = readers.filter(({ response }) => response.statusCode === 200);
    const busyTimes = await summaryTimes();
    const busyStarts = await exportStarts(6);
    ending.abort();
    const answers = (await asking).flat();

    await waitUntil(
      'slow readers are ended',
      async () => (await metric('signpost_slow_readers_aborted_total')) >= held.length,
      {
        timeoutMs: patienceSeconds * 1000 + 20_000,
      },
    );
    const endedSeconds = (performance.now() - begun) / 1000;
    const whole = await Promise.all(held.map(({ response }) => readAll(response)));
    const again = await open(serverFor(0) + exportOf(greedy), greedy.key);
    const isWhole = await readAll(again.response);

    const ratio = busyTimes.ours / quietTimes.ours;
    const [start, quietStart] = [Math.max(...busyStarts), Math.max(...quietStarts)];
    const ms = (value: number) => value.toFixed(value < 10 ? 1 : 0);
    console.log(
      `shares questions summary_p99_ms quiet ${ms(quietTimes.ours)} busy ${ms(busyTimes.ours)} ratio ${ratio.toFixed(2)} bare_median_ms quiet ${ms(quietTimes.bare)} busy ${ms(busyTimes.bare)} export_start_ms quiet ${ms(quietStart)} busy ${ms(start)} greedy_answers ${JSON.stringify(byStatus(answers))} greedy_exports ${JSON.stringify(byStatus(readers))} slow_readers_ended_after_s ${endedSeconds.toFixed(0)}`,
    );
    // On a machine that is held up by others meanwhile, what is bare is slower too.
    // But the greedy account is no such other: it excuses at most this much.
    const slowdown = Math.min(2, Math.max(1, busyTimes.bare / quietTimes.bare));
    expect(ratio).toBeLessThanOrEqual(3 * slowdown);
    expect(start).toBeLessThan(promisedMs(1000, busyTimes.bare));
    expect(held).toHaveLength(2);
    for (const { response } of refusals) expect(response.statusCode).toBe(429);
    expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([200, 429]);
    const told = [
      ...answers.filter(({ status }) => status === 429).map(({ headers }) => headers['retry-after']),
      ...refusals.map(({ response }) => response.headers['retry-after']),
    ];
    for (const seconds of told) expect(Number(seconds)).toBeGreaterThan(0);
    expect(whole).toEqual([false, false]);
    expect([again.response.statusCode, isWhole]).toEqual([200, true]);
  });
});
