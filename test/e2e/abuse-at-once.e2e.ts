import { setTimeout as sleep } from 'node:timers/promises';
import type { TestAccount } from '@signpost/testing/api.ts';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import { ask } from '@signpost/testing/client.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { startPostgres } from '@signpost/testing/engines/postgres.ts';
import { startRedis } from '@signpost/testing/engines/redis.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { runCommand, TestServer } from '@signpost/testing/server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../../apps/server/src/kernel/ids.ts';
import { sql } from '../../apps/server/src/platform/postgres/postgres.ts';

const codes = ciScale(100_000, 15_000);
const codesToClose = ciScale(20_000, 4_000);
/** How long it may take from a command until the last scanner is sent on, besides the start of the command itself. */
const mostMs = 2000;
/** Codes that are scanned all the time, and how many scans at once on each redirect. */
const [scanned, lanes] = [500, 3];

let engines: { nats: Engine; redis: Engine; postgres: Engine };
let fixture: Fixture;
let edges: TestServer[];
let offender: TestAccount;
let leaver: TestAccount;

beforeAll(async () => {
  const [nats, redis, postgres] = await Promise.all([startNats(), startRedis(), startPostgres()]);
  engines = { nats, redis, postgres };
  fixture = await createFixture({ NATS_URL: nats.url, REDIS_URL: redis.url }, postgres.url);
  edges = await Promise.all([0, 1, 2].map(() => TestServer.start('redirect', fixture.env)));
  [offender, leaver] = [await fixture.account(), await fixture.account()];
  await Promise.all([fill(offender, 'bad', codes), fill(leaver, 'old', codesToClose)]);
  await fixture.db.query(sql('abuse-analyze', 'analyze'));
});
afterAll(async () => {
  for (const edge of edges) {
    edge.kill('SIGCONT');
    await edge.end('SIGTERM');
  }
  await fixture.close();
  await Promise.all([engines.nats, engines.redis, engines.postgres].map(engine => engine.remove()));
});

/** Codes as the API makes them, but all at once. Every code leads to one of a hundred hosts under one domain. */
async function fill({ id }: TestAccount, prefix: string, count: number): Promise<void> {
  await fixture.db.query(insertCodes, [id, prefix, count]);
  await fixture.db.query(insertTargets, [id]);
  await fixture.db.query(setTally, [id, count]);
  await fixture.db.query(setBlocks, [id]);
}

const insertCodes = sql(
  'abuse-insert-codes',
  `insert into qr_codes (id, account_id, mode, number, status, made_by, key_space, short_code, link_key, name, destination_url, style,
                         created_at, updated_at)
   select gen_random_uuid(), $1, 'live', n, 'active', 'api', '', $2::text || '-' || n, $2::text || '-' || n, 'x',
          'https://h' || n % 100 || '.' || $2::text || '.example/' || n, '{}', now(), now()
     from generate_series(1, $3::integer) n`,
);
const insertTargets = sql(
  'abuse-insert-targets',
  `insert into code_targets (qr_code_id, kind, url, host, url_hash)
   select id, 'default', destination_url, split_part(destination_url, '/', 3),
          substr(sha256(convert_to(destination_url, 'UTF8')), 1, 16)
     from qr_codes where account_id = $1`,
);
const setTally = sql(
  'abuse-set-tally',
  `update code_counts set last_number = $2, active = $2, made_by_api = $2 where account_id = $1 and mode = 'live'`,
);
const setBlocks = sql(
  'abuse-set-blocks',
  `insert into count_buckets (account_id, mode, bucket, active)
   select account_id, mode, number / 1000, count(*) from qr_codes where account_id = $1 group by 1, 2, 3`,
);

async function admin(...args: string[]): Promise<string> {
  const { code, output } = await runCommand(['admin', ...args], fixture.env);
  expect({ code, output }).toMatchObject({ code: 0 });
  return output;
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; ms: number }> {
  const beganMs = performance.now();
  return { result: await work(), ms: performance.now() - beganMs };
}

type Scan = { readonly atMs: number; readonly edge: number; readonly status: number };

/** Scans without a pause on every redirect, until it is stopped; codes that were scanned before come from memory. */
function startScans(prefix: string, ofEdges = [0, 1, 2]) {
  const scans: Scan[] = [];
  const over = new AbortController();
  async function lane(edge: number, number: number): Promise<void> {
    for (let n = number; !over.signal.aborted; n++) {
      const atMs = performance.now();
      const url = `${edges[edge]!.url}/${prefix}-${1 + (n % scanned)}`;
      scans.push({ atMs, edge, status: (await ask({ url, timeoutMs: 30_000 })).status });
    }
  }
  const all = ofEdges.flatMap(edge => Array.from({ length: lanes }, (_, n) => lane(edge, n * 100)));
  return {
    scans,
    async stop(): Promise<readonly Scan[]> {
      over.abort();
      await Promise.all(all);
      return scans;
    },
  };
}

/** Scans under way while a command runs, and what they met before it, after it, and how long it took until the last change. */
async function under(prefix: string, wanted: number, command: () => Promise<unknown>) {
  const before = wanted === 302 ? [404] : [302];
  const load = startScans(prefix);
  // Everything that is scanned is in memory by then.
  await sleep(1500);
  // A command that only reads: what the start of one takes beside these scans.
  const bareMs = (await timed(() => admin('list-blocked-hosts'))).ms;
  const beganMs = performance.now();
  await command();
  const returnedMs = performance.now();
  await sleep(1000);
  const scans = await load.stop();
  const earlier = scans.filter(({ atMs }) => atMs < beganMs);
  const later = scans.filter(({ atMs }) => atMs > returnedMs);
  const others = scans.filter(({ atMs, status }) => atMs >= beganMs && status !== wanted);
  expect(new Set(earlier.map(({ status }) => status))).toEqual(new Set(before));
  // Every redirect was asked before and after.
  for (const some of [earlier, later]) expect(new Set(some.map(({ edge }) => edge)).size).toBe(3);
  return {
    scans: scans.length,
    wrong: later.filter(({ status }) => status !== wanted).length,
    lastMs: Math.max(0, ...others.map(({ atMs }) => atMs - beganMs)) - bareMs,
    tookMs: returnedMs - beganMs - bareMs,
    bareMs,
  };
}

/** One redirect stands still when the command begins, and goes on half a second later. */
async function whileOneStops(work: () => Promise<unknown>): Promise<void> {
  edges[2]!.kill('SIGSTOP');
  const timer = setTimeout(() => edges[2]!.kill('SIGCONT'), 500);
  try {
    await work();
  } finally {
    clearTimeout(timer);
    edges[2]!.kill('SIGCONT');
  }
}

function say(
  what: string,
  { scans, wrong, lastMs, tookMs, bareMs }: Awaited<ReturnType<typeof under>>,
): void {
  const ms = (value: number) => Math.max(0, Math.round(value));
  console.log(
    `abuse ${what} scans ${scans} wrong_after ${wrong} last_ms ${ms(lastMs)} command_ms ${ms(tookMs)} bare_command_ms ${ms(bareMs)}`,
  );
}

describe('with very many codes of one account under scans on three redirects', () => {
  test('none is sent on when the account is suspended, nor kept back when it is released, though a redirect stands still for a while', async () => {
    const account = formatId('acct', offender.id);
    const stop = await under('bad', 404, () =>
      whileOneStops(() => admin('suspend-account', account, '--reason', 'phishing')),
    );
    say('suspend-account', stop);
    const go = await under('bad', 302, () => whileOneStops(() => admin('release-account', account)));
    say('release-account', go);
    expect([stop.wrong, go.wrong]).toEqual([0, 0]);
    expect(Math.max(stop.tookMs, go.tookMs)).toBeLessThan(mostMs);
  });

  test('one that stands still for longer sends nobody on either, once the command has returned', async () => {
    const account = formatId('acct', offender.id);
    const load = startScans('bad');
    await sleep(1000);
    await load.stop();
    edges[1]!.kill('SIGSTOP');
    await admin('suspend-account', account, '--reason', 'phishing');
    edges[1]!.kill('SIGCONT');
    const after = startScans('bad', [1]);
    await sleep(500);
    const statuses = (await after.stop()).map(({ status }) => status);
    expect(statuses.length).toBeGreaterThan(10);
    expect(new Set(statuses)).toEqual(new Set([404]));
    await admin('release-account', account);
  });

  test('block-host stops all of them, then marks each, and unblock-host releases them', async () => {
    const open = sql(
      'abuse-open',
      `select count(*) from suspensions where cause = 'host' and source = 'bad.example' and released_at is null`,
    );
    const marked = async () => (await fixture.db.query<{ count: number }>(open))[0]!.count;
    const stop = await under('bad', 404, () => admin('block-host', 'bad.example', '--reason', 'reported'));
    say('block-host', stop);
    expect(stop.wrong).toBe(0);
    expect(stop.lastMs).toBeLessThan(mostMs);
    expect(await marked()).toBe(codes);
    const go = await under('bad', 302, () => admin('unblock-host', 'bad.example'));
    say('unblock-host', go);
    expect([go.wrong, await marked()]).toEqual([0, 0]);
  });
});

test('closing an account of very many codes stops all of them, and then deletes them in peace', async () => {
  const stop = await under('old', 410, () => admin('close-account', formatId('acct', leaver.id), '--yes'));
  say('close-account', stop);
  expect(stop.wrong).toBe(0);
  expect(stop.lastMs).toBeLessThan(mostMs);
  const left = sql(
    'abuse-left',
    `select (select count(*) from qr_codes where account_id = $1 and status <> 'deleted') as codes,
            (select count(*) from code_targets t join qr_codes c on c.id = t.qr_code_id where c.account_id = $1) as targets,
            (select count(*) from erasures where account_id = $1) as erasures`,
  );
  expect(await fixture.db.query(left, [leaver.id])).toEqual([
    { codes: 0, targets: 0, erasures: codesToClose },
  ]);
});
