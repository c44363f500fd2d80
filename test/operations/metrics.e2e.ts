import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, inParallel } from '@signpost/testing/client.ts';
import { startClickHouse } from '@signpost/testing/engines/clickhouse.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { startRedis } from '@signpost/testing/engines/redis.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { batchOf, type Code, countedIn, scanOf } from '@signpost/testing/scan-ledger.ts';
import { runCommand, type TestServer } from '@signpost/testing/server.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { metricList } from '../../apps/server/src/commands/metrics.ts';
import { systemClock } from '../../apps/server/src/kernel/clock.ts';
import { parseId } from '../../apps/server/src/kernel/ids.ts';
import { createNats } from '../../apps/server/src/platform/nats/nats.ts';
import { createManager } from '../../apps/server/src/platform/nats/streams.ts';
import { encodeBatch } from '../../apps/server/src/scans/log/format/batch.ts';
import { createScanLog } from '../../apps/server/src/scans/log/scan-log.ts';
import { openSpool } from '../../apps/server/src/scans/spool/spool.ts';

let engines: { nats: Engine; redis: Engine; clickhouse: Engine };
let fixture: Fixture;
let all: TestServer;

beforeAll(async () => {
  const [nats, redis, clickhouse] = await Promise.all([startNats(), startRedis(), startClickHouse()]);
  engines = { nats, redis, clickhouse };
  fixture = await createFixture({
    NATS_URL: nats.url,
    REDIS_URL: redis.url,
    CLICKHOUSE_URL: clickhouse.url,
    SCAN_LOG_MAX_MB: '64',
  });
  await runCommand(['migrate'], fixture.env);
  all = await fixture.server({}, 'all');
});
afterAll(async () => {
  await fixture?.close();
  for (const engine of Object.values(engines ?? {})) await engine.remove();
});

const ratio = 'signpost_stream_used_ratio';
const scrape = async (server = all) => (await fetch(server.metricsUrl)).text();

/** The value of a series, by name and, where given, a part of its labels; NaN where it is not told. */
async function metric(name: string, label = '', server = all): Promise<number> {
  const line = (await scrape(server))
    .split('\n')
    .find(one => one.startsWith(`${name}{`) && one.includes(label));
  return Number(line?.split(' ').at(-1)?.replace('+Inf', 'Infinity') ?? Number.NaN);
}

const becomes = (name: string, is: (value: number) => boolean, label = '') =>
  waitUntil(`${name} ${label} as it should be`, async () => is(await metric(name, label)));

test('every metric that a process tells is on the list, and the other way round', async () => {
  const named = [...(await scrape()).matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name!).sort();
  // One that is missing from the list: add its maker to apps/server/src/commands/metrics.ts.
  expect(named).toEqual([...new Set(metricList().map(({ name }) => name))].sort());
});

test('lease, log, spool and lag tell the truth while engines go and come', async () => {
  const { live: key } = await fixture.account();
  const body = { name: 'x', destination_url: 'https://example.com' };
  const { short_code } = (await ask({ method: 'POST', url: `${all.url}/v1/qrcodes`, key, body })).body;
  const scan = () => inParallel(20, 5, () => ask({ url: `${all.url}/${short_code}` }));

  await becomes('signpost_lease_held', value => value === 1);
  expect(await metric('signpost_lease_renewed_seconds_ago')).toBeLessThan(2);
  expect(await metric('signpost_scans_total', 'outcome="lost"')).toBe(0);
  await scan();
  expect(await metric('signpost_links_in_memory')).toBe(1);
  // On a machine that has much else to do the log may answer too late, and then a scan is kept on disk.
  const kept = (how: string) => metric('signpost_scans_total', `outcome="${how}"`);
  await waitUntil('all are kept', async () => (await kept('logged')) + (await kept('spooled')) === 20);
  const early = await kept('spooled');
  await becomes('signpost_ingest_scans_stored_total', value => value === 20);
  await becomes('signpost_ingest_behind_entries', value => value === 0, 'shard="0"');
  await becomes('signpost_ingest_worker_silent_seconds', value => value < 3, 'shard="0"');
  expect(await metric('signpost_spool_oldest_seconds')).toBe(0);
  expect(await metric('signpost_redirect_seconds_count', 'status="302"')).toBe(20);

  await engines.redis.kill('SIGKILL');
  await becomes('signpost_lease_held', value => value === 0);
  await becomes('signpost_lease_renewed_seconds_ago', value => value > 2);
  await engines.redis.start();
  await becomes('signpost_lease_held', value => value === 1);

  await engines.nats.kill('SIGKILL');
  await scan();
  await becomes('signpost_scans_total', value => value === early + 20, 'outcome="spooled"');
  expect(await metric('signpost_spool_bytes')).toBeGreaterThan(0);
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
  const run = (name: string, text: string) => fixture.db.query({ name, text });
  await run(
    'late-erasure',
    `insert into erasures (qr_code_id, account_id, mode, requested_at, sweep_at)
     values (gen_random_uuid(), gen_random_uuid(), 'live', now() - interval '2 hours', now() + interval '1 hour')`,
  );
  await becomes('signpost_erasures_due', value => value === 1);
  expect(await metric('signpost_erasure_oldest_seconds')).toBeGreaterThan(3_600);
  await run('erased', 'delete from erasures');
  await becomes('signpost_erasures_due', value => value === 0);
  expect(await metric('signpost_erasure_oldest_seconds')).toBe(0);
});

test('a service without a backup, and one whose last is old, tell so until there is a new one', async () => {
  const age = (interval: string) =>
    fixture.db.query({
      name: `backup-${interval}`,
      text: `update backups set finished_at = now() - interval '${interval}'`,
    });
  await becomes('signpost_backup_missing_seconds', value => value > 0);
  expect(await metric('signpost_backup_age_seconds')).toBeNaN();
  await age('8 days');
  await becomes('signpost_backup_missing_seconds', value => value > 604_800);
  const dir = mkdtempSync(join(tmpdir(), 'signpost-backup-'));
  expect(await runCommand(['backup', '--into', dir], fixture.env)).toMatchObject({ code: 0 });
  await becomes('signpost_backup_missing_seconds', value => value === 0);
  expect(await metric('signpost_backup_age_seconds')).toBeLessThan(600);
  await age('27 hours');
  await becomes('signpost_backup_age_seconds', value => value > 93_600);
  expect(await runCommand(['backup', '--record'], fixture.env)).toMatchObject({ code: 0 });
  await becomes('signpost_backup_age_seconds', value => value < 600);
});

test('every stream of a running service is bounded', async () => {
  const nats = createNats(engines.nats.url);
  onTestFinished(() => nats.close());
  const { streams } = await createManager(await nats.whenConnected(AbortSignal.timeout(10_000)));
  const bounds: [string, number, number, string][] = [];
  for await (const { config } of streams.list())
    bounds.push([config.name, config.max_bytes, config.max_msgs, config.discard]);
  expect(bounds.sort()).toEqual([
    ['CHANGES', -1, 100_000, 'old'],
    ['SCANS_0', -1, Math.ceil((64 * 1024 * 1024) / 100), 'new'],
    ['WEBHOOKS', -1, 200_000, 'new'],
  ]);
});

test('a log that fills up is told; scans are spooled and not one is dropped; counted entries make room', async () => {
  const { live: key, id: accountId } = await fixture.account();
  const body = { name: 'x', destination_url: 'https://example.com' };
  const { id, short_code } = (await ask({ method: 'POST', url: `${all.url}/v1/qrcodes`, key, body })).body;
  const nats = createNats(engines.nats.url);
  onTestFinished(() => nats.close());
  await nats.whenConnected(AbortSignal.timeout(10_000));
  const log = createScanLog({ nats });
  const edge = await fixture.server({}, 'redirect');
  const used = (is: (value: number) => boolean) => becomes(ratio, is, 'stream="SCANS_0"');
  await used(value => value < 0.1);
  const spooled = await metric('signpost_scans_total', 'outcome="spooled"');

  // The same batch again and again takes room in the log, and counts once.
  await engines.clickhouse.kill('SIGKILL');
  const code = { id: parseId('qr', id)!, accountId };
  const batch = encodeBatch(batchOf(...Array.from({ length: 5_000 }, () => scanOf(code, 1))));
  while ((await log.readSize(0)).bytes < 64 * 1024 * 1024) await log.appender(0).append(batch, 5_000);
  await used(value => value >= 1);
  // A redirect tells as well: that no ingest runs is the likeliest cause.
  await waitUntil('a redirect tells', async () => (await metric(ratio, '"SCANS_0"', edge)) >= 1);
  let asks = 0;
  await waitUntil('a scan is spooled', async () => {
    expect((await ask({ url: `${all.url}/${short_code}` })).status).toBe(302);
    asks++;
    return (await metric('signpost_scans_total', 'outcome="spooled"')) > spooled;
  });
  // Nor is a spool sent on into a full log.
  const left = await spoolOfOne(code);
  expect(await runCommand(['spool', 'drain', '--dir', left], fixture.env)).toMatchObject({
    code: 1,
    output: expect.stringMatching(/SCANS_0 is full.*\n.* 0 scans, 1 left/),
  });
  const [counted] = await fixture.db.query<{ position: number }>({
    name: 'counted-to',
    text: 'select position from ingest_positions where shard = 0',
  });
  expect((await log.readState(0)).firstPosition).toBeLessThanOrEqual(counted!.position);

  await engines.clickhouse.start();
  await waitUntil('there is room again', async () => (await metric(ratio, '"SCANS_0"')) < 0.7, {
    timeoutMs: 60_000,
  });
  await becomes('signpost_spool_bytes', value => value === 0);
  await becomes('signpost_ingest_behind_entries', value => value === 0, 'shard="0"');
  expect(await metric('signpost_ingest_entries_removed_total')).toBeGreaterThan(0);
  expect(await metric('signpost_ingest_entries_trimmed_total')).toBe(0);
  expect(await runCommand(['spool', 'drain', '--dir', left], fixture.env)).toMatchObject({ code: 0 });
  const total = async () => (await countedIn(fixture.db))[code.id]?.total;
  await waitUntil('every scan is counted', async () => (await total()) === 5_000 + asks + 1);
  await becomes('signpost_ingest_behind_entries', value => value === 0, 'shard="0"');
  expect(await total()).toBe(5_000 + asks + 1);
});

/** A directory with one scan in it, as a redirect leaves it. */
async function spoolOfOne(code: Code): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'signpost-spool-'));
  const spool = await openSpool({ dir, maxBytes: 1e6, clock: systemClock });
  await spool.append(encodeBatch(batchOf(scanOf(code, 2))));
  await spool.close();
  return dir;
}
