import type { ClickHouse } from '../../../apps/server/src/platform/clickhouse/clickhouse.ts';
import type { Database } from '../../../apps/server/src/platform/postgres/postgres.ts';
import { createClickHouseMonths } from '../../../apps/server/src/scans/stores/clickhouse/clickhouse-months.ts';
import {
  hasOpenMutation,
  rewriteMonth,
} from '../../../apps/server/src/scans/stores/clickhouse/month-rewriting.ts';
import type { CheckContext } from '../context.ts';
import { countsBy, totalsOf } from '../scans/expected.ts';
import { type HeldScan, monthOf } from '../scans/held-scan.ts';
import { comesTrue, require, type Step } from '../steps.ts';

const patienceMs = 120_000;

export const erasure = (context: CheckContext): Step => ({
  name: 'An erased code leaves every figure, others stay, and its rows leave the disk',
  async run({ see, signal }) {
    const { clickhouse, rows, accounts } = context;
    const { id, codes } = accounts[0]!;
    const [code = ''] = codes;
    const startedAt = performance.now();
    const isHidden = await comesTrue(async () => {
      const { visible } = await rows.erase([id], [code], async () => {}, signal);
      return visible.size === 0;
    }, patienceMs);
    require(isHidden, `Rows were still visible after ${patienceMs / 1000} s`);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const before = context.held.length;
    context.held = context.held.filter(scan => scan.qr_code_id !== code);
    see(`${before - context.held.length} rows hidden after ${seconds} s`);
    see(`${await context.compare()} answers are equal without them`);
    const masked = await countMasked(clickhouse, code);
    for (const month of new Set(context.held.map(monthOf))) await rewriteMonth(clickhouse, month, signal);
    const isDone = await comesTrue(async () => !(await hasOpenMutation(clickhouse, signal)), patienceMs);
    require(isDone, `The rewrite of parts did not end within ${patienceMs / 1000} s`);
    require((await countMasked(clickhouse, code)) === 0, 'Rows are still in the parts after the rewrite');
    const bare = await countBareParts(clickhouse);
    require(bare === 0, `${bare} parts have no roll-ups or still have masks after the rewrite`);
    see(`${masked} of them were still in the parts, none after the rewrite`);
    see(`${await context.compare()} answers are equal then`);
  },
});

/** Rows in active parts, hidden or not. */
async function countMasked(clickhouse: ClickHouse, code: string): Promise<number> {
  const [row] = await clickhouse.query<{ rows: number }>(
    'select count() as rows from scans where qr_code_id = {code: UUID} settings apply_deleted_mask = 0',
    { code },
  );
  return row!.rows;
}

async function countBareParts(clickhouse: ClickHouse): Promise<number> {
  const [row] = await clickhouse.query<{ parts: number }>(
    `select count() as parts from system.parts
      where database = currentDatabase() and table = 'scans' and active and rows > 0
        and (empty(projections) or has_lightweight_delete)`,
  );
  return row!.parts;
}

export const months = (context: CheckContext): Step => ({
  name: 'An old month is summed and removed, and the others stay',
  async run({ see }) {
    const store = createClickHouseMonths(context.clickhouse);
    const wanted = [...new Set(context.held.map(monthOf))].sort();
    const listed = await store.listMonths();
    require(listed.join() === wanted.join(), `Months ${listed.join(', ')} instead of ${wanted.join(', ')}`);
    const [month = ''] = wanted;
    const ofMonth = context.held.filter(scan => monthOf(scan) === month);
    see(`${await compareSums(store, month, ofMonth)} sums of ${month} are equal`);
    // The store is not in PostgreSQL, so the transaction is not used. A removal may be repeated.
    for (let times = 0; times < 2; times++) await store.drop(undefined as unknown as Database, month);
    context.held = context.held.filter(scan => monthOf(scan) !== month);
    const left = await store.listMonths();
    require(left.join() === wanted.slice(1).join(), `Months ${left.join(', ')} are left`);
    see(`${ofMonth.length} scans removed, ${await context.compare()} answers are equal without them`);
  },
});

async function compareSums(
  store: ReturnType<typeof createClickHouseMonths>,
  month: string,
  scans: readonly HeldScan[],
): Promise<number> {
  const accounts = new Set(scans.map(scan => scan.account_id));
  const found = new Map<string, { scans: number; visitors: number }>();
  for await (const some of store.readSums(month, []))
    for (const { accountId, mode, qrCodeId, kind, value, ...sum } of some) {
      // Pieces of a key add up: the second of a total has the visitors of that code alone.
      if (!accounts.has(accountId) || !/^(total|country)$/.test(kind)) continue;
      const key = [accountId, mode, qrCodeId, kind, value].join(' ');
      const { scans: sumScans, visitors } = found.get(key) ?? { scans: 0, visitors: 0 };
      found.set(key, { scans: sumScans + sum.scans, visitors: visitors + sum.visitors });
    }
  const check = (key: string, count: number, visitors: number) => {
    const sum = found.get(key);
    require(sum?.scans === count &&
      sum.visitors ===
        visitors, `The sum ${key} is ${JSON.stringify(sum)} instead of ${count} scans, ${visitors} visitors`);
  };
  const keys = ['account_id', 'mode', 'qr_code_id'] as const;
  for (const [key, some] of Map.groupBy(scans, scan => keys.map(name => scan[name]).join(' '))) {
    check(`${key} total `, some.length, totalsOf(some).visitors);
    for (const { country, scans: count } of countsBy(some, ['country']) as {
      country: string;
      scans: number;
    }[])
      check(`${key} country ${country}`, count, 0);
  }
  return found.size;
}
