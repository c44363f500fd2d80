import type { TestAccount } from '@signpost/testing/api.ts';
import { ask } from '@signpost/testing/client.ts';
import { startClickHouse } from '@signpost/testing/engines/clickhouse.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { startRedis } from '@signpost/testing/engines/redis.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { batchOf, ids } from '@signpost/testing/scan-ledger.ts';
import { runCommand, type TestServer } from '@signpost/testing/server.ts';
import { createSoloFixture } from '@signpost/testing/solo.ts';
import { storeScans } from '@signpost/testing/store-scans.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../apps/server/src/kernel/clock.ts';
import { parseId } from '../../apps/server/src/kernel/ids.ts';
import { type ClickHouse, createClickHouse } from '../../apps/server/src/platform/clickhouse/clickhouse.ts';
import { type Database, sql } from '../../apps/server/src/platform/postgres/postgres.ts';
import { openFileLog } from '../../apps/server/src/scans/file-log/file-log.ts';
import { encodeBatch } from '../../apps/server/src/scans/log/format/batch.ts';
import { keepMonths } from '../../apps/server/src/scans/retention/retention.ts';
import { defaultFields, type Scan } from '../../apps/server/src/scans/scan.ts';
import { createClickHouseRows } from '../../apps/server/src/scans/stores/clickhouse/clickhouse-rows.ts';
import { toMonth } from '../../apps/server/src/scans/stores/month.ts';
import { createPostgresRows } from '../../apps/server/src/scans/stores/postgres/postgres-rows.ts';
import { toWindowName } from '../../apps/server/src/scans/visitor.ts';

const dayMs = 86_400_000;
const now = new Date();
const startOf = (monthsAgo: number) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo);
const monthOf = (monthsAgo: number) => toMonth(startOf(monthsAgo));

const retentionMonths = 2;
const oldestMonth = 5;
const removedMonths = [5, 4, 3].map(monthOf);
const scansPerMonth = 60;

type Code = { readonly id: string; readonly uuid: string; readonly mode: 'live' | 'test' };

/** An installation of which the processes are not running, with the store that it has. */
type World = {
  readonly fixture: Fixture;
  readonly clickhouse: ClickHouse | null;
  start(): Promise<TestServer>;
  close(): Promise<void>;
};

const settings = { SCAN_RETENTION_MONTHS: String(retentionMonths), LOG_LEVEL: 'info' };

const worlds: Readonly<Record<string, () => Promise<World>>> = {
  async 'solo, scans in PostgreSQL'() {
    const solo = await createSoloFixture();
    const { fixture } = solo;
    return {
      fixture,
      clickhouse: null,
      start: () => fixture.server(settings, 'solo'),
      close: () => solo.close(),
    };
  },
  async 'all roles, scans in ClickHouse'() {
    const [nats, redis, engine] = await Promise.all([startNats(), startRedis(), startClickHouse()]);
    const fixture = await createFixture({
      NATS_URL: nats.url,
      REDIS_URL: redis.url,
      CLICKHOUSE_URL: engine.url,
    });
    await runCommand(['migrate'], fixture.env);
    const clickhouse = await createClickHouse(engine.url);
    return {
      fixture,
      clickhouse,
      start: () => fixture.server(settings, 'all'),
      async close() {
        await fixture.close();
        await clickhouse.close();
        for (const each of [nats, redis, engine]) await each.remove();
      },
    };
  },
};

/** Repeatable, and spread over values and days. */
function makeScans(codes: readonly Code[], accountId: string): Scan[] {
  const scans: Scan[] = [];
  for (let monthsAgo = 0; monthsAgo <= oldestMonth; monthsAgo++)
    for (let n = 0; n < scansPerMonth; n++) {
      const atMs = startOf(monthsAgo) + (monthsAgo === 0 ? n : (n % 28) * dayMs + n * 61_000);
      const code = codes[(n * n) % codes.length]!;
      scans.push({
        id: ids.next(),
        qrCodeId: code.uuid,
        accountId,
        mode: code.mode,
        atMs,
        country: ['DE', 'FR', 'XX'][n % 3]!,
        region: '',
        city: '',
        device: (['ios', 'android', 'desktop'] as const)[n % 3]!,
        browser: (['safari', 'chrome'] as const)[n % 2]!,
        visitor: (n % 23).toString(16).padStart(32, '0'),
        window: toWindowName(atMs, 'month'),
        ...defaultFields,
      });
    }
  return scans;
}

const countVisitors = (scans: readonly Scan[]) => new Set(scans.map(scan => scan.window + scan.visitor)).size;

const countBy = (scans: readonly Scan[], get: (scan: Scan) => string) =>
  Object.fromEntries([...Map.groupBy(scans, get)].map(([value, group]) => [value, group.length]));

/** The figures of all months, recomputed from the list of scans. */
function recompute(scans: readonly Scan[]) {
  const months = Array.from({ length: oldestMonth + 1 }, (_, n) => monthOf(oldestMonth - n));
  return {
    total: scans.length,
    visitors: countVisitors(scans),
    devices: countBy(scans, scan => scan.device),
    countries: countBy(scans, scan => scan.country),
    months: months.map(month => {
      const own = scans.filter(scan => toMonth(scan.atMs) === month);
      return { date: `${month}-01`, total_scans: own.length, unique_visitors: countVisitors(own) };
    }),
  };
}

type Answer = {
  readonly summary: { readonly total_scans: number; readonly unique_visitors: number };
  readonly devices: Readonly<Record<string, number>>;
  readonly top_countries: readonly { readonly country: string; readonly scans: number }[];
  readonly retained_from?: string;
};

const present = (answer: Answer, months: unknown) => ({
  total: answer.summary.total_scans,
  visitors: answer.summary.unique_visitors,
  devices: Object.fromEntries(Object.entries(answer.devices).filter(([, scans]) => scans > 0)),
  countries: Object.fromEntries(answer.top_countries.map(({ country, scans }) => [country, scans])),
  months,
});

describe.each(Object.keys(worlds))('%s', name => {
  let world: World;
  let db: Database;
  let owner: TestAccount;
  let server: TestServer;
  let codes: Code[];
  let scans: Scan[];
  let keptBefore: unknown;

  const get = (path: string, key: string) => ask({ url: `${server.url}/v1${path}`, key });
  const period = `start_date=${monthOf(oldestMonth)}-01&interval=month`;

  /** The answers about every code and about the account in both modes, beside what they should be. */
  async function compareFigures(): Promise<void> {
    for (const code of codes) {
      const key = owner[code.mode];
      const base = `/qrcodes/${code.id}/analytics`;
      const { body: summary } = await get(`${base}?start_date=${monthOf(oldestMonth)}-01`, key);
      const { body: series } = await get(`${base}/timeseries?${period}`, key);
      const expected = recompute(scans.filter(scan => scan.qrCodeId === code.uuid));
      expect(present(summary, series.data)).toEqual(expected);
      const { body } = await get(`/qrcodes/${code.id}`, key);
      expect(body.total_scans).toBe(expected.total);
    }
    for (const mode of ['live', 'test'] as const) {
      const { body } = await get(`/analytics/aggregate?${period}`, owner[mode]);
      const own = scans.filter(scan => scan.mode === mode);
      expect(present(body, body.timeseries)).toEqual(recompute(own));
      expect(body.retained_from).toBe(`${monthOf(retentionMonths)}-01T00:00:00Z`);
    }
  }

  /** The months that are stored, each with what changes when it is rewritten. */
  async function readMonths(): Promise<Record<string, unknown>> {
    const rows = world.clickhouse
      ? await world.clickhouse.query<{ month: string; files: string }>(
          `select concat(substring(partition_id, 1, 4), '-', substring(partition_id, 5)) as month,
                  arrayStringConcat(arraySort(groupArray(concat(name, ' ', toString(rows)))), ',') as files
             from system.parts where database = currentDatabase() and table = 'scans' and active group by month`,
        )
      : await db.query<{ month: string; files: string }>(partitionFiles);
    return Object.fromEntries(rows.map(({ month, files }) => [month, files]));
  }

  const state = async () =>
    (await db.query<{ retained: string | null; removed: string | null }>(readState))[0]!;

  beforeAll(async () => {
    world = await worlds[name]!();
    db = world.fixture.db;
    owner = await world.fixture.account();
    server = await world.fixture.server({}, name.startsWith('solo') ? 'solo' : 'all');
    codes = [];
    for (const mode of ['live', 'live', 'live', 'test'] as const) {
      const made = await ask({
        method: 'POST',
        url: `${server.url}/v1/qrcodes`,
        key: owner[mode],
        body: { name: 'Menu', destination_url: 'https://example.com' },
      });
      codes.push({ id: made.body.id, uuid: parseId('qr', made.body.id)!, mode });
    }
    await server.end('SIGTERM');
    scans = makeScans(codes, owner.id);
    const rows = world.clickhouse ? createClickHouseRows(world.clickhouse) : createPostgresRows(db);
    await storeScans({ api: { db } as never }, rows, scans);
    // Merges would change names of parts for reasons of their own.
    await world.clickhouse?.command('system stop merges scans');
    keptBefore = await readMonths();
  });
  afterAll(() => world?.close());

  test('a kill between the sums and the removal loses nothing: the next start completes it', async () => {
    await db.transaction(async tx => {
      // As a backup does, so that nothing is dropped meanwhile.
      await tx.query(sql('test-keep-months', keepMonths));
      server = await world.start();
      await waitUntil('the first month is summed', async () => (await state()).retained !== null);
      await server.end('SIGKILL');
    });
    expect(await state()).toEqual({ retained: monthOf(oldestMonth - 1), removed: monthOf(oldestMonth) });
    expect(await readMonths()).toEqual(keptBefore);

    const late = scans.find(scan => toMonth(scan.atMs) === monthOf(4) && scan.mode === 'live')!;
    const fresh = { ...late, id: ids.next(), atMs: Date.now(), window: toWindowName(Date.now(), 'month') };
    const log = await openFileLog({
      root: world.fixture.env.SPOOL_DIR!,
      clock: systemClock,
      maxBytes: 64 * 1024 * 1024,
    });
    const append = (scan: Scan) => log.appender().append(encodeBatch(batchOf(scan)), 5_000);
    await append({ ...late, id: ids.next() });
    await append(fresh);
    await log.close();
    scans.push(fresh);

    server = await world.start();
    await waitUntil(
      'the months are gone',
      async () => (await state()).retained === monthOf(2) && !(monthOf(3) in (await readMonths())),
      { timeoutMs: 60_000 },
    );
    expect(Object.keys(await readMonths()).sort()).toEqual([2, 1, 0].map(monthOf));
  });

  test('no other month was rewritten', async () => {
    // The fresh scan is in the current month.
    const kept = (months: unknown) =>
      [2, 1].map(monthsAgo => (months as Record<string, unknown>)[monthOf(monthsAgo)]);
    expect(kept(await readMonths())).toEqual(kept(keptBefore));
    expect(kept(keptBefore).every(files => typeof files === 'string')).toBe(true);
  });

  test('a batch of a removed month is quarantined and not counted', async () => {
    const quarantined = () => db.query<{ reason: string }>(readQuarantine);
    await waitUntil('both batches were read', async () => {
      const { body } = await get(`/qrcodes/${codes[0]!.id}`, owner.live);
      const counted = scans.filter(scan => scan.mode === 'live').length;
      const all = await Promise.all(codes.map(code => get(`/qrcodes/${code.id}`, owner[code.mode])));
      const total = all.slice(0, 3).reduce((sum, { body }) => sum + body.total_scans, 0);
      return body.id === codes[0]!.id && total === counted;
    });
    expect(await quarantined()).toEqual([{ reason: 'removed month' }]);
    expect(Object.keys(await readMonths())).not.toContain(monthOf(4));
  });

  test('totals and figures by month equal those recomputed from the scans', async () => {
    await waitUntil('the fresh scan is stored', async () => {
      const { body } = await get('/analytics/aggregate', owner.live);
      return body.summary.total_scans > 0;
    });
    await compareFigures();
    expect(await db.query(readMonthsOfSums)).toEqual(removedMonths.map(month => ({ month })));
  });

  test('what sums cannot answer is refused, and lists say from when they have scans', async () => {
    const base = `/qrcodes/${codes[0]!.id}/analytics`;
    const from = `start_date=${monthOf(oldestMonth)}-15`;
    for (const path of [
      `${base}?${from}`,
      `${base}?start_date=${monthOf(oldestMonth)}-01&country=DE`,
      `${base}/timeseries?start_date=${monthOf(oldestMonth)}-01&interval=week`,
      `${base}/timeseries?${period}&timezone=Asia/Tokyo`,
      `${base}/week-hours?start_date=${monthOf(oldestMonth)}-01`,
      `/analytics/aggregate?${period}&tag=menu`,
    ]) {
      const { status, body } = await get(path, owner.live);
      expect([path, status, body.error?.code]).toEqual([path, 400, 'period_not_retained']);
    }
    const kept = scans.filter(
      scan => scan.qrCodeId === codes[0]!.uuid && scan.atMs >= startOf(retentionMonths),
    ).length;
    const { body: list } = await get(`${base}/scans?${from}`, owner.live);
    const { body: file } = await get(`${base}/export?${from}&format=json`, owner.live);
    const retained_from = `${monthOf(retentionMonths)}-01T00:00:00Z`;
    expect([list.pagination.total, list.retained_from]).toEqual([kept, retained_from]);
    expect([file.total, file.retained_from]).toEqual([kept, retained_from]);
    const { status, body } = await get(`${base}?start_date=${monthOf(retentionMonths)}-01`, owner.live);
    expect([status, body.retained_from]).toEqual([200, undefined]);
  });

  test('an erased code disappears from the sums', async () => {
    const [gone, ...left] = codes as [Code, ...Code[]];
    await ask({ method: 'DELETE', url: `${server.url}/v1/qrcodes/${gone.id}`, key: owner.live });
    codes = left;
    scans = scans.filter(scan => scan.qrCodeId !== gone.uuid);
    // At once in every answer, and a little later in the database.
    await compareFigures();
    const sums = () => db.query(sumsOfCode, [gone.uuid]);
    await waitUntil('its sums are erased', async () => (await sums()).length === 0, { timeoutMs: 60_000 });
    await compareFigures();
  });
});

const partitionFiles = sql(
  'test-partition-files',
  `select replace(right(c.relname, 7), '_', '-') as month,
          c.oid || ' ' || c.relfilenode || ' ' ||
            (xpath('/row/n/text()', query_to_xml('select count(*) as n from ' || c.relname, true, true, '')))[1] as files
     from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'scans'::regclass`,
);

const readState = sql(
  'test-retention-state',
  'select retained_from as retained, removed_from as removed from scan_retention',
);

const readQuarantine = sql('test-quarantine', 'select reason from ingest_quarantine');

const readMonthsOfSums = sql('test-months-of-sums', 'select distinct month from scan_sums order by month');

const sumsOfCode = sql('test-sums-of-code', 'select month from scan_sums where qr_code_id = $1');
