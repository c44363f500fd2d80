import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ciScale, isFullSize } from '@signpost/testing/ci-scale.ts';
import { ask } from '@signpost/testing/client.ts';
import { createEmptyDatabase } from '@signpost/testing/database.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { startRedis } from '@signpost/testing/engines/redis.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createFixture } from '@signpost/testing/fixture.ts';
import { p99 } from '@signpost/testing/percentile.ts';
import { startProber } from '@signpost/testing/prober.ts';
import { countedIn } from '@signpost/testing/scan-ledger.ts';
import { metricValue, scrape } from '@signpost/testing/scrape.ts';
import { runCommand, TestServer } from '@signpost/testing/server.ts';
import { expect, onTestFinished, test } from 'vitest';
import { parseId } from '../../apps/server/src/kernel/ids.ts';
import { createPostgres, sql, unprepared } from '../../apps/server/src/platform/postgres/postgres.ts';
import { createPostgresRows } from '../../apps/server/src/scans/stores/postgres/postgres-rows.ts';

/** BACKUP_SCANS=3000000 for the full size in CI too. */
const pastScans = Number(process.env.BACKUP_SCANS ?? ciScale(3_000_000, 100_000));
const scanEveryMs = 5;
const quietMs = ciScale(15_000, 3_000);
const maxSlowdown = 3;
/** On a machine that has nothing else to do. Where other programs delay the event loop anyway, they are allowed for. */
const maxPauseMs = 50;

/** Scans of the last three days, as many as would take an hour to send. They were counted long ago. */
async function addPastScans(env: Record<string, string>, accountId: string, codeId: string): Promise<void> {
  const db = databaseOf(env.DATABASE_URL!);
  const dayMs = 86_400_000;
  const rows = createPostgresRows(db);
  if (rows.stores === 'with_counts') await rows.prepare([Date.now() - 4 * dayMs, Date.now()]);
  await db.query(addScans, [accountId, codeId, pastScans]);
  await db.query(
    sql('test-past-counts', 'insert into scan_counts (qr_code_id, total_scans) values ($1, $2)'),
    [codeId, pastScans],
  );
  await db.close();
}

const addScans = unprepared(
  `insert into scans (account_id, qr_code_id, at, id, mode, country, region, city, device, browser, language, visitor,
                      visitor_number, time_window, is_unique, rule_id, target_id, placement, shard, log_number, position, place)
   select $1, $2, now() - interval '1 day' - n % 259200 * interval '1 second', gen_random_uuid(), 'live',
          (array['DE', 'FR', 'US'])[n % 3 + 1], 'Bavaria', (array['München', 'Paris', 'New York'])[n % 3 + 1], 'ios', 'safari',
          '', md5((n % 20000)::text)::uuid, n % 20000, '2026-11', false, '00000000-0000-0000-0000-000000000000',
          '00000000-0000-0000-0000-000000000000', '', 0, 0, 0, 0
     from generate_series(1, $3::int) n`,
);

const databaseOf = (databaseUrl: string) =>
  createPostgres(
    { databaseUrl, databasePooler: 'none', databasePoolSize: 1, databaseTimeoutMs: 600_000 },
    () => undefined,
  );

/** The scans of the only code, as counted and as stored. */
async function contentsOf(env: Record<string, string>) {
  const db = databaseOf(env.DATABASE_URL!);
  const [counted] = Object.values(await countedIn(db));
  const [stored] = await db.query<{ rows: number; sum: string }>(sumOfScans);
  await db.close();
  return { counted: counted!.total, ...stored! };
}

const sumOfScans = sql(
  'test-sum-of-scans',
  `select count(*) as rows, bit_xor(hashtextextended(scans::text, 0))::text as sum from scans`,
);

async function countedTotal({ DATABASE_URL }: Record<string, string>): Promise<number> {
  const db = databaseOf(DATABASE_URL!);
  const [counted] = Object.values(await countedIn(db));
  await db.close();
  return counted?.total ?? 0;
}

const totalOf = async (url: string, id: string, key: string): Promise<number> =>
  (await ask({ url: `${url}/v1/qrcodes/${id}`, key })).body.total_scans;

const longestPauseMs = async ({ metricsUrl }: TestServer): Promise<number> =>
  1_000 * metricValue(await scrape(metricsUrl), 'nodejs_eventloop_lag_max_seconds');

test.each(['all', 'solo'])('%s is backed up while it redirects: none fails, none waits long', async role => {
  const dir = mkdtempSync(join(tmpdir(), 'signpost-backup-'));
  const engines = role === 'all' ? await Promise.all([startNats(), startRedis()]) : [];
  const [NATS_URL = '', REDIS_URL = ''] = engines.map(({ url }) => url);
  const urls = { NATS_URL, REDIS_URL, SPOOL_DIR: join(dir, 'spool') };
  const fixture = await createFixture({ ...urls, CLICKHOUSE_URL: '' });
  onTestFinished(async () => {
    await fixture.close();
    for (const engine of engines) await engine.remove();
  });
  await runCommand(['migrate'], fixture.env);
  const server = await fixture.server({}, role);
  const { live: key, id: account } = await fixture.account();
  const body = { name: 'x', destination_url: 'https://example.com' };
  const { body: code } = await ask({ method: 'POST', url: `${server.url}/v1/qrcodes`, key, body });
  await server.end('SIGTERM');
  await addPastScans(fixture.env, account, parseId('qr', code.id)!);
  await server.start();

  const prober = startProber(scanEveryMs, `${server.url}/${code.short_code}`);
  await waitUntil(
    'scans are counted',
    async () => (await totalOf(server.url, code.id, key)) > pastScans + 100,
  );
  prober.begin();
  // A scrape resets the longest pause.
  await longestPauseMs(server);
  await sleep(quietMs);
  const quietPauseMs = await longestPauseMs(server);
  const quiet = await prober.stop();
  const loaded = startProber(scanEveryMs, `${server.url}/${code.short_code}`);
  await waitUntil('the load runs', async () => (await totalOf(server.url, code.id, key)) > pastScans + 500);
  loaded.begin();
  await longestPauseMs(server);
  const startMs = performance.now();
  const taken = await runCommand(['backup', join(dir, 'backup')], fixture.env);
  const seconds = (performance.now() - startMs) / 1_000;
  const pauseMs = await longestPauseMs(server);
  const busy = await loaded.stop();
  expect(taken).toMatchObject({ code: 0, output: expect.stringMatching(/1 codes, \d+ scans counted/) });
  const [, counted] = /(\d+) scans counted/.exec(taken.output)!;
  expect(Number(counted)).toBeGreaterThan(pastScans);
  const [quietP99, busyP99] = [p99(quiet.times[0]!), p99(busy.times[0]!)];
  console.log(
    `backup-running ${role} scans ${counted} seconds ${seconds.toFixed(1)} redirects ${busy.times[0]!.length} failed ${busy.refused.length} p99 ms quiet ${quietP99.toFixed(1)} backup ${busyP99.toFixed(1)} longest pause ms quiet ${quietPauseMs.toFixed(0)} backup ${pauseMs.toFixed(0)}`,
  );
  expect(busy.refused).toEqual([]);
  // A backup of two seconds is mostly the start of its own process, and too short for a p99.
  if (isFullSize) expect(busyP99).toBeLessThanOrEqual(maxSlowdown * Math.max(quietP99, 5));
  expect(pauseMs).toBeLessThanOrEqual(Math.max(maxPauseMs, maxSlowdown * quietPauseMs));

  const restored = {
    ...fixture.env,
    DATABASE_URL: await createEmptyDatabase(),
    SPOOL_DIR: join(dir, 'restored-spool'),
  };
  const result = await runCommand(['restore', join(dir, 'backup')], restored);
  expect(result).toMatchObject({ code: 0 });
  expect(result.output).toContain(`1 codes, ${counted} scans counted, ${counted} rows`);
  expect(result.output).not.toContain('were corrected from their scans');

  await server.end('SIGKILL');

  // With the rest of the log, the restored one holds the same rows. The log of solo is on its disk.
  if (role === 'solo')
    cpSync(join(dir, 'spool'), restored.SPOOL_DIR, {
      recursive: true,
      filter: path => !path.endsWith('lock'),
    });
  const counting = role === 'solo' ? 'solo' : 'ingest';
  const ingests = await Promise.all([fixture.env, restored].map(env => TestServer.start(counting, env)));
  let before: readonly number[] = [];
  await waitUntil(
    'the log is counted on both',
    async () => {
      const now = await Promise.all([fixture.env, restored].map(countedTotal));
      const isSettled = now[0] === now[1] && now[0] === before[0];
      before = now;
      return isSettled && now[0]! > Number(counted);
    },
    { everyMs: 1_000 },
  );
  for (const ingest of ingests) expect(await ingest.end('SIGTERM')).toBe(0);
  const [original, copy] = [await contentsOf(fixture.env), await contentsOf(restored)];
  expect(copy).toEqual(original);
  expect(copy.rows).toBe(copy.counted);
});
