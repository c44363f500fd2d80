import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { metricList } from '../../apps/server/src/roles/metric-list.ts';
import { startClickHouse } from '../../tools/engines/clickhouse.ts';
import type { Engine } from '../../tools/engines/engine.ts';
import { startNats } from '../../tools/engines/nats.ts';
import { startRedis } from '../../tools/engines/redis.ts';
import { waitUntil } from '../../tools/engines/wait.ts';
import { ask, inParallel } from '../support/client.ts';
import { runCommand, type TestServer } from '../support/server.ts';
import { createWorld, type World } from '../support/world.ts';

let engines: { nats: Engine; redis: Engine; clickhouse: Engine };
let world: World;
let all: TestServer;

beforeAll(async () => {
  const [nats, redis, clickhouse] = await Promise.all([startNats(), startRedis(), startClickHouse()]);
  engines = { nats, redis, clickhouse };
  world = await createWorld({ NATS_URL: nats.url, REDIS_URL: redis.url, CLICKHOUSE_URL: clickhouse.url });
  await runCommand(['migrate'], world.env);
  all = await world.server({}, 'all');
});
afterAll(async () => {
  await world?.close();
  for (const engine of Object.values(engines ?? {})) await engine.remove();
});

const scrape = async () => (await fetch(all.metricsUrl)).text();

/** The value of a series, by name and, where given, a part of its labels; NaN where it is not told. */
async function told(name: string, label = ''): Promise<number> {
  const line = (await scrape()).split('\n').find(one => one.startsWith(`${name}{`) && one.includes(label));
  return Number(line?.split(' ').at(-1)?.replace('+Inf', 'Infinity') ?? Number.NaN);
}

const becomes = (name: string, is: (value: number) => boolean, label = '') =>
  waitUntil(`${name} ${label} as it should be`, async () => is(await told(name, label)));

test('every metric that a process tells is on the list, and the other way round', async () => {
  const named = [...(await scrape()).matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name!).sort();
  // One that is missing from the list: add its maker to apps/server/src/roles/metric-list.ts.
  expect(named).toEqual([...new Set(metricList().map(({ name }) => name))].sort());
});

test('lease, log, spool and lag tell the truth while engines go and come', async () => {
  const { live: key } = await world.account();
  const body = { name: 'x', destination_url: 'https://example.com' };
  const { short_code } = (await ask({ method: 'POST', url: `${all.url}/v1/qrcodes`, key, body })).body;
  const scan = () => inParallel(20, 5, () => ask({ url: `${all.url}/${short_code}` }));

  await becomes('signpost_lease_held', value => value === 1);
  expect(await told('signpost_lease_renewed_seconds_ago')).toBeLessThan(2);
  expect(await told('signpost_scans_total', 'kept="lost"')).toBe(0);
  await scan();
  expect(await told('signpost_links_in_memory')).toBe(1);
  // On a machine that has much else to do the log may answer too late, and then a scan is kept on disk.
  const kept = (how: string) => told('signpost_scans_total', `kept="${how}"`);
  await waitUntil('all are kept', async () => (await kept('logged')) + (await kept('spooled')) === 20);
  const early = await kept('spooled');
  await becomes('signpost_ingest_scans_stored_total', value => value === 20);
  await becomes('signpost_ingest_behind_entries', value => value === 0, 'shard="0"');
  await becomes('signpost_ingest_worker_silent_seconds', value => value < 3, 'shard="0"');
  expect(await told('signpost_spool_oldest_seconds')).toBe(0);
  expect(await told('signpost_redirect_seconds_count', 'status="302"')).toBe(20);

  await engines.redis.kill('SIGKILL');
  await becomes('signpost_lease_held', value => value === 0);
  await becomes('signpost_lease_renewed_seconds_ago', value => value > 2);
  await engines.redis.start();
  await becomes('signpost_lease_held', value => value === 1);

  await engines.nats.kill('SIGKILL');
  await scan();
  await becomes('signpost_scans_total', value => value === early + 20, 'kept="spooled"');
  expect(await told('signpost_spool_bytes')).toBeGreaterThan(0);
  await becomes('signpost_spool_oldest_seconds', value => value > 0);
  // Nobody can tell how far ingest is behind, so nothing is told.
  await becomes('signpost_ingest_behind_seconds', Number.isNaN, 'shard="0"');

  // What is not counted is behind: ingest cannot while ClickHouse is away.
  await engines.clickhouse.kill('SIGKILL');
  await engines.nats.start();
  await becomes('signpost_spool_bytes', value => value === 0);
  await scan();
  await becomes('signpost_ingest_interruptions_total', value => value > 0);
  await engines.clickhouse.start();
  await becomes('signpost_ingest_scans_stored_total', value => value >= 60);
  await becomes('signpost_ingest_behind_entries', value => value === 0, 'shard="0"');
});

test('a deletion is told as due until it is erased', async () => {
  const run = (name: string, text: string) => world.db.query({ name, text });
  await run(
    'late-erasure',
    `insert into erasures (qr_code_id, account_id, mode, requested_at, sweep_at)
     values (gen_random_uuid(), gen_random_uuid(), 'live', now() - interval '1 hour', now() + interval '1 hour')`,
  );
  await becomes('signpost_erasures_due', value => value === 1);
  expect(await told('signpost_erasure_oldest_seconds')).toBeGreaterThanOrEqual(3_600);
  await run('erased', 'delete from erasures');
  await becomes('signpost_erasures_due', value => value === 0);
  expect(await told('signpost_erasure_oldest_seconds')).toBe(0);
});

test('a service without a backup, and one whose last is old, tell so until there is a new one', async () => {
  const age = (interval: string) =>
    world.db.query({
      name: `backup-${interval}`,
      text: `update backups set finished_at = now() - interval '${interval}'`,
    });
  await becomes('signpost_backup_missing_seconds', value => value > 0);
  expect(await told('signpost_backup_age_seconds')).toBeNaN();
  await age('8 days');
  await becomes('signpost_backup_missing_seconds', value => value > 604_800);
  const dir = mkdtempSync(join(tmpdir(), 'signpost-backup-'));
  expect(await runCommand(['backup', '--into', dir], world.env)).toMatchObject({ code: 0 });
  await becomes('signpost_backup_missing_seconds', value => value === 0);
  expect(await told('signpost_backup_age_seconds')).toBeLessThan(600);
  await age('27 hours');
  await becomes('signpost_backup_age_seconds', value => value > 93_600);
  expect(await runCommand(['backup', '--record'], world.env)).toMatchObject({ code: 0 });
  await becomes('signpost_backup_age_seconds', value => value < 600);
});
