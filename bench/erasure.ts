import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startMigratedClickHouse } from '@signpost/testing/clickhouse.ts';
import { createFixture } from '@signpost/testing/fixture.ts';
import { partFiles, writtenBetween } from '@signpost/testing/part-files.ts';
import { createProgressBar, generateScans } from '@signpost/testing/scan-generator.ts';
import { contextOn } from '@signpost/testing/unshared-queries.ts';
import { parsePeriod } from '../apps/server/src/analytics/period.ts';
import * as store from '../apps/server/src/analytics/store.ts';
import { eraseDue } from '../apps/server/src/ingest/erasure/erasure.ts';
import { sql } from '../apps/server/src/platform/postgres/postgres.ts';
import { createClickHouseRows } from '../apps/server/src/scans/stores/clickhouse/clickhouse-rows.ts';
import type { Scope } from '../apps/server/src/scans/stores/scope.ts';
import { median } from './median.ts';
import { record } from './record.ts';

/** Ten minutes in all. */
const [maxRetries, retryMs] = [300, 2_000];

const aims = { bytesToMasks: 2, descriptionKiB: 32, hideSeconds: 60, otherCode: 3 };
const days = 30;
const dayMs = 86_400_000;
const deletions = [1, 10, 100];
const rounds = 3;

/**
 * `npm run bench -- erasure [--rows 20000000]`: erases 1, 10 and 100 deleted codes as ingest does. Measures what
 * ClickHouse writes, how long it takes, and how long the summaries of other codes take meanwhile. Every part contains scans of
 * all codes, so every part is affected.
 */
export default async function bench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { rows: { type: 'string' }, record: { type: 'boolean' } },
  });
  const rows = Number(values.rows ?? 20_000_000);
  const { engine, clickhouse } = await startMigratedClickHouse();
  const fixture = await createFixture({ CLICKHOUSE_URL: engine.url });
  // Merges of the data just written would distort the figures, and an erasure would wait for them.
  await clickhouse.command(
    'alter table scans modify setting max_bytes_to_merge_at_max_space_in_pool = 1000000',
  );
  // One scan in ten is of code 1, ten thousand are of code 0, the others of a million codes of ten thousand accounts.
  const share = Math.round(rows / 10_000);
  const code = `multiIf(n % ${share} = 0, 0, cityHash64(n, 3) % 10 = 0, 1, 10000 + cityHash64(n, 4) % 1000000)`;
  const today = Math.floor(Date.now() / dayMs) * dayMs;
  await generateScans(
    clickhouse,
    [
      {
        scans: rows,
        account: sqlId(`${code} % 10000`),
        code: sqlId(code),
        visitors: Math.ceil(rows / 4),
        fromMs: today - (days - 1) * dayMs,
        days,
      },
    ],
    createProgressBar('scans'),
  );

  const period = parsePeriod({}, new Date());
  const asking = contextOn(clickhouse, 120_000);
  const summaryOf = async (scope: Scope) => {
    const start = performance.now();
    await Promise.all([
      store.totals(asking, scope, period),
      store.topCountries(asking, scope, period),
      store.topCities(asking, scope, period),
      store.agents(asking, scope, period),
    ]);
    return performance.now() - start;
  };
  const scopes: Readonly<Record<string, Scope>> = {
    other_code: { accountId: idOf(0), mode: 'live', qrCodeId: idOf(0) },
    large_code: { accountId: idOf(1), mode: 'live', qrCodeId: idOf(1) },
    account: { accountId: idOf(7), mode: 'live' },
    // All of its scans but some thousands are of the large code.
    large_account: { accountId: idOf(1), mode: 'live' },
  };
  const measure = async (until: () => boolean = () => true) => {
    const times = new Map(Object.keys(scopes).map(name => [name, [] as number[]]));
    for (let round = 0; round < rounds || !until(); round++)
      for (const [name, all] of times) all.push(await summaryOf(scopes[name]!));
    return Object.fromEntries([...times].map(([name, all]) => [name, median(all)]));
  };
  // Warm-up.
  for (const scope of Object.values(scopes)) await summaryOf(scope);
  const before = await measure();
  const worst = {
    bytes_to_masks: 0,
    description_kib: 0,
    hide_seconds: 0,
    other_code: 0,
    large_code: 0,
    account: 0,
    large_account: 0,
  };
  let first = 20_000;
  for (const count of deletions) {
    const codes = Array.from({ length: count }, (_, n) => first + n);
    first += count;
    await fixture.db.query(addErasures, [codes.map(idOf), codes.map(number => idOf(number % 10_000))]);
    const files = await partFiles(clickhouse);
    const start = performance.now();
    let seconds = 0;
    const [meanwhile] = await Promise.all([
      measure(() => seconds > 0),
      eraseWithRetries(fixture.db, createClickHouseRows(clickhouse)).then(() => {
        seconds = (performance.now() - start) / 1_000;
      }),
    ]);
    const written = writtenBetween(files, await partFiles(clickhouse));
    const ratios = Object.keys(scopes).map(name => [name, meanwhile[name]! / before[name]!] as const);
    console.log(
      `erasure of ${count}: hidden in ${seconds.toFixed(1)} s, wrote ${written.bytes} bytes of which ${written.masks} are masks, descriptions of ${written.maskedParts} parts ${written.descriptions}, small parts ${written.compact}; summaries ${ratios.map(([name, ratio]) => `${name} ${before[name]!.toFixed(0)} → ${meanwhile[name]!.toFixed(0)} ms (${ratio.toFixed(2)})`).join(', ')}`,
    );
    worst.bytes_to_masks = Math.max(worst.bytes_to_masks, written.bytes / written.masks);
    worst.description_kib = Math.max(
      worst.description_kib,
      written.descriptions / written.maskedParts / 1_024,
    );
    worst.hide_seconds = Math.max(worst.hide_seconds, seconds);
    for (const [name, ratio] of ratios) worst[name as 'account'] = Math.max(worst[name as 'account'], ratio);
  }
  await fixture.close();
  await clickhouse.close();
  await engine.remove();
  record(args, 'erasure', { rows, ...worst });
  console.log(
    `erasure rows ${rows} bytes_to_masks ${worst.bytes_to_masks.toFixed(2)} aim ${aims.bytesToMasks} description_kib ${worst.description_kib.toFixed(0)} aim ${aims.descriptionKiB} hide_seconds ${worst.hide_seconds.toFixed(1)} aim ${aims.hideSeconds} other_code ${worst.other_code.toFixed(2)} aim ${aims.otherCode} large_code ${worst.large_code.toFixed(2)} account ${worst.account.toFixed(2)} large_account ${worst.large_account.toFixed(2)}`,
  );
  if (
    worst.bytes_to_masks > aims.bytesToMasks ||
    worst.description_kib > aims.descriptionKiB ||
    worst.hide_seconds > aims.hideSeconds ||
    worst.other_code > aims.otherCode
  )
    process.exitCode = 1;
}

/**
 * ClickHouse may still merge what was loaded, and an erasure waits for no merge: the next one continues. A running ingest
 * does the same with its next turn, after 30 seconds.
 */
async function eraseWithRetries(...parts: Parameters<typeof eraseDue>): Promise<void> {
  for (let retries = 0; ; retries++) {
    try {
      await eraseDue(...parts);
      return;
    } catch (error) {
      if (retries === maxRetries || !/ClickHouse is busy/.test((error as Error).message)) throw error;
      await pause(retryMs);
    }
  }
}

/** The same id in SQL and in TypeScript. */
const idOf = (number: number) => `01800000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;
const sqlId = (number: string) =>
  `toUUID(concat('01800000-0000-7000-8000-', leftPad(lower(hex(toUInt64(${number}))), 12, '0')))`;

const addErasures = sql(
  'bench-add-erasures',
  `insert into erasures (qr_code_id, account_id, mode, requested_at)
   select code, account, 'live', now() from unnest($1::uuid[], $2::uuid[]) as due (code, account)`,
);
