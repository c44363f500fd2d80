import type { ClickHouse } from '../../../apps/server/src/platform/clickhouse/clickhouse.ts';
import { inParallel } from './client.ts';

/** A group of generated scans: how many, of which codes and days, by how many visitors. */
export type Crowd = {
  readonly scans: number;
  /** SQL that turns `number` into a UUID: of the account, and of the code. */
  readonly account: string;
  readonly code: string;
  readonly visitors: number;
  readonly fromMs: number;
  readonly days: number;
};

/** Rows per insert. ClickHouse creates a part for each, with all of its roll-ups. */
const rowsPerInsert = 1_000_000;
/** Each uses one core. */
const concurrentInserts = 2;

/** A UUID that ends in a number, for generated codes and accounts. */
export const numbered = (kind: string, number: string) =>
  `toUUID(concat('${kind}-0000-7000-8000-', leftPad(lower(hex(${number})), 12, '0')))`;

/**
 * Generates scans inside ClickHouse, without ingest, to measure queries on them. Each crowd is written in the order of its
 * days, so that its rows are in few parts of each month. Visitors are numbered from `firstVisitor`.
 */
export async function generateScans(
  clickhouse: ClickHouse,
  crowds: readonly Crowd[],
  onProgress: (done: number, all: number) => void = () => {},
): Promise<void> {
  const all = crowds.reduce((sum, crowd) => sum + crowd.scans, 0);
  const inserts: { readonly rows: number; readonly query: string }[] = [];
  let firstVisitor = 1;
  for (const crowd of crowds) {
    for (let at = 0; at < crowd.scans; at += rowsPerInsert) {
      const rows = Math.min(rowsPerInsert, crowd.scans - at);
      inserts.push({ rows, query: insertOf(crowd, at, rows, firstVisitor) });
    }
    // A visitor of a window is another one in the next.
    firstVisitor += crowd.visitors * (Math.ceil(crowd.days / 28) + 1);
  }
  let done = 0;
  await inParallel(inserts.length, concurrentInserts, async index => {
    const { rows, query } = inserts[index]!;
    await clickhouse.command(query, {}, { timeoutMs: 600_000 });
    done += rows;
    onProgress(done, all);
  });
}

function insertOf(
  { scans, account, code, visitors, fromMs, days }: Crowd,
  first: number,
  rows: number,
  firstVisitor: number,
) {
  const spanMs = days * 86_400_000;
  return `insert into scans (account_id, qr_code_id, at, id, mode, country, region, city, device, browser, visitor,
                             visitor_number, time_window, is_unique, shard, position, place)
    with number as n, cityHash64(n, 2) % 1000 as spot,
         fromUnixTimestamp64Milli(toInt64(${fromMs} + intDiv(n * ${spanMs}, ${scans})), 'UTC') as moment,
         dateDiff('month', fromUnixTimestamp64Milli(toInt64(${fromMs}), 'UTC'), moment, 'UTC') as window,
         toUInt64(${firstVisitor} + window * ${visitors} + cityHash64(n, 1) % ${visitors}) as person
    select ${account}, ${code}, moment,
           reinterpretAsUUID(unhex(concat(leftPad(hex(n), 16, '0'), '8000000000000000'))),
           'live',
           ['DE', 'FR', 'US', 'GB', 'IN', 'BR', 'JP', 'ES', 'IT', 'PL', 'NL', 'XX'][1 + spot % 12],
           concat('Region ', toString(spot % 60)), concat('City ', toString(spot)),
           ['ios', 'android', 'desktop', 'other'][1 + person % 4],
           ['safari', 'chrome', 'samsung_browser', 'firefox', 'edge', 'other'][1 + person % 6],
           reinterpretAsUUID(unhex(concat('8000000000000000', leftPad(hex(person), 16, '0')))), person,
           formatDateTime(moment, '%Y-%m'),
           0, 65535, n, 0
      from numbers(${first}, ${rows})
    settings max_insert_block_size = ${rowsPerInsert}, min_insert_block_size_rows = ${rowsPerInsert}, max_insert_threads = 1`;
}

/** A progress bar that is redrawn in place on a terminal; elsewhere, a line per tenth. */
export function createProgressBar(label: string): (done: number, all: number) => void {
  const width = 30;
  let tenth = -1;
  return (done, all) => {
    const share = done / all;
    const bar = '█'.repeat(Math.round(share * width)).padEnd(width, '░');
    const line = `${label} ${bar} ${(done / 1e6).toFixed(1)} of ${(all / 1e6).toFixed(1)} million`;
    if (process.stdout.isTTY) process.stdout.write(`\r${line}${done === all ? '\n' : ''}`);
    else if (Math.floor(share * 10) > tenth) {
      tenth = Math.floor(share * 10);
      console.log(line);
    }
  };
}
