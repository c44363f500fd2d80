import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBalancer } from '@signpost/testing/balancer.ts';
import { isFullSize } from '@signpost/testing/ci-scale.ts';
import { ask } from '@signpost/testing/client.ts';
import { createEmptyDatabase } from '@signpost/testing/database.ts';
import { startClickHouse } from '@signpost/testing/engines/clickhouse.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { startRedis } from '@signpost/testing/engines/redis.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { addMonthsOfScans } from '@signpost/testing/months-of-scans.ts';
import { startReceiver } from '@signpost/testing/receiver.ts';
import { addCodes } from '@signpost/testing/scan-ledger.ts';
import { runCommand, type TestServer } from '@signpost/testing/server.ts';
import { createSoloFixture } from '@signpost/testing/solo.ts';
import { expect, test } from 'vitest';
import { parseId } from '../../apps/server/src/kernel/ids.ts';
import {
  figuresOfClickHouse,
  figuresOfPostgres,
  openDatabase,
  sumByCode,
  summaryOf,
  totalsOfCodes,
} from './grow/figures.ts';
import { createCode, editAndScan, noCounts, sendScans, type World } from './grow/traffic.ts';

/** Scans from earlier months. GROW_SCANS=5000000: as many as PostgreSQL alone is meant for. */
const pastScans = Number(process.env.GROW_SCANS ?? 30_000);
/** Writes are refused until `all` has started. */
const maxRefusedMs = 10_000;
/** Under load in each set-up. */
const phaseMs = 1_000;

test('from solo to all with a redirect, to roles, and from PostgreSQL to ClickHouse, under load: no scan is lost or counted twice, no redirect fails or is out of date', async () => {
  const solo = await createSoloFixture({ WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32' });
  const { fixture } = solo;
  const [redis, nats, clickhouse, receiver] = await Promise.all([
    startRedis(),
    startNats(),
    startClickHouse(),
    startReceiver(),
  ]);
  const past = await addCodes(fixture.db, 5);
  await addMonthsOfScans(fixture.db, past, Math.ceil(pastScans / past.length));
  const first = await fixture.server({}, 'solo');
  const { live: key } = await fixture.account();
  const links = await startBalancer([first.url]);
  const world: World = { api: first, links, key, retries: true };
  const webhook = { url: `${receiver.url}/hook` };
  expect((await ask({ method: 'POST', url: `${first.url}/v1/webhooks`, key, body: webhook })).status).toBe(
    201,
  );
  const [scanned, edited] = [await createCode(world), await createCode(world)];

  const stopping = new AbortController();
  const [scans, edits] = [noCounts(), noCounts()];
  const traffic = [
    sendScans(world, scanned.short_code, scans, stopping.signal),
    editAndScan(world, edited, edits, stopping.signal),
  ];
  await sleep(phaseMs);

  // The only process restarts: requests of that moment get no answer, and their scanners try again.
  await first.end('SIGTERM');
  await first.start();
  await sleep(phaseMs);
  const retried = scans.retried + edits.retried;
  edits.refusedMs = 0;

  // From the first redirect on, no request is sent twice.
  const shared = { REDIS_URL: redis.url, NATS_URL: nats.url };
  const spool = mkdtempSync(join(tmpdir(), 'signpost-spool-'));
  const redirect = await fixture.server({ ...shared, SPOOL_DIR: spool }, 'redirect');
  links.add(redirect.url);
  world.retries = false;
  await sleep(phaseMs);
  await links.remove(first.url);
  await first.end('SIGTERM');
  world.api = await fixture.server(shared, 'all');
  links.add(world.api.url);
  await sleep(phaseMs);
  // What solo left of its log is in NATS by then.
  await waitUntil('the spool is empty', () => hasEmptySpool(world.api));
  const toAllMs = edits.refusedMs;
  edits.refusedMs = 0;

  // The roles apart, on the same database. The redirect serves the links meanwhile.
  await links.remove(world.api.url);
  await world.api.end('SIGTERM');
  const [api, ingest] = await Promise.all([
    fixture.server(shared, 'api'),
    fixture.server(shared, 'ingest'),
    fixture.server(shared, 'deliver'),
  ]);
  world.api = api;
  await sleep(phaseMs);
  const toRolesMs = edits.refusedMs;
  edits.refusedMs = 0;

  const backup = join(solo.dir, 'backup');
  const taken = await runCommand(['backup', backup], { ...fixture.env, ...shared });
  expect(taken).toMatchObject({ code: 0 });
  expect(readdirSync(backup).sort()).toEqual(['manifest.json', 'postgres.dump']);

  const stored = { CLICKHOUSE_URL: clickhouse.url };
  const moved = await runCommand(['move-scans'], { ...fixture.env, ...shared, ...stored });
  expect(moved).toMatchObject({ code: 0, output: expect.stringContaining('agree by code and month') });
  const atSwitch = await figuresOfPostgres(fixture.db);
  const [nextApi] = await Promise.all([
    fixture.server({ ...shared, ...stored }, 'api'),
    ingest.end('SIGTERM').then(() => fixture.server({ ...shared, ...stored }, 'ingest')),
  ]);
  world.api = nextApi;
  await api.end('SIGTERM');
  await sleep(phaseMs);
  stopping.abort();
  await Promise.all(traffic);

  const answered = {
    ...Object.fromEntries(past.map(({ id }) => [id, Math.ceil(pastScans / past.length)])),
    [parseId('qr', scanned.id)!]: scans.answered,
    [parseId('qr', edited.id)!]: edits.answered,
  };
  await waitUntil('every scan is counted', async () =>
    sameCounts(sumByCode(await figuresOfClickHouse(clickhouse.url)), answered),
  );
  // And no more than once: whatever is still sent from the disk has arrived by then.
  await waitUntil('the spool is empty', () => hasEmptySpool(redirect));
  await sleep(1_000);
  const total = scans.answered + edits.answered;
  await waitUntil('every webhook arrives', () => idsOf(receiver.arrivals).size === total);
  const figures = await figuresOfClickHouse(clickhouse.url);
  console.log(
    `grow past ${pastScans} scans ${total} failed ${scans.failed + edits.failed} retried in the restart of solo ${retried}, after it ${scans.retried + edits.retried - retried} edits ${edits.edits} stale ${edits.stale} refused_ms to all ${toAllMs.toFixed(0)} to roles ${toRolesMs.toFixed(0)} to ClickHouse ${edits.refusedMs.toFixed(0)}; ${/Counting paused.*/.exec(moved.output)?.[0]}`,
  );
  expect([scans.failed, edits.failed, edits.stale]).toEqual([0, 0, 0]);
  expect(scans.retried + edits.retried).toBe(retried);
  expect(sumByCode(figures)).toEqual(answered);
  expect(await totalsOfCodes(fixture.db)).toEqual(answered);
  // Nothing that was stored before the switch changed in it.
  for (const [name, { scans: before }] of Object.entries(atSwitch)) {
    expect(figures[name]!.scans).toBeGreaterThanOrEqual(before);
    if (past.some(({ id }) => name.startsWith(id))) expect(figures[name]).toEqual(atSwitch[name]);
  }
  const counted = async (server: TestServer) =>
    Promise.all([scanned, edited].map(({ id }) => summaryOf(server.url, key, id)));
  expect(await counted(nextApi)).toEqual([scans.answered, edits.answered]);
  expect(edits.edits).toBeGreaterThan(5);
  if (isFullSize) expect(toAllMs).toBeLessThanOrEqual(maxRefusedMs);

  await proveBackup(backup, taken.output, fixture.env, solo.postgres.url);
  const dropped = await runCommand(['move-scans', '--drop'], { ...fixture.env, ...shared, ...stored });
  expect(dropped).toMatchObject({ code: 0 });
  expect(await figuresOfPostgres(fixture.db)).toEqual({});
  links.close();
  await receiver.close();
  await solo.close();
  await Promise.all([redis.remove(), nats.remove(), clickhouse.remove()]);
});

/** The restored database has as many scans as the backup said, and for each code as many as it shows. */
async function proveBackup(
  backup: string,
  output: string,
  env: Record<string, string>,
  postgresServerUrl: string,
): Promise<void> {
  const databaseUrl = await createEmptyDatabase(postgresServerUrl);
  const restored = await runCommand(['restore', backup], { ...env, DATABASE_URL: databaseUrl });
  expect(restored).toMatchObject({ code: 0 });
  const [, atBackup] = /(\d+) scans counted/.exec(output)!;
  expect(restored.output).toContain(`${atBackup} scans counted, ${atBackup} rows`);
  expect(Number(atBackup)).toBeGreaterThan(pastScans);
  const db = openDatabase(databaseUrl);
  const figures = await figuresOfPostgres(db);
  expect(sumByCode(figures)).toEqual(await totalsOfCodes(db));
  await db.close();
}

const hasEmptySpool = async ({ metricsUrl }: TestServer) =>
  /^signpost_spool_segments\{?.*\}? 0$/m.test(String((await ask({ url: metricsUrl })).body));

const sameCounts = (a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>) =>
  Object.keys(b).every(id => a[id] === b[id]);

const idsOf = (arrivals: readonly { readonly id: string }[]) => new Set(arrivals.map(({ id }) => id));
