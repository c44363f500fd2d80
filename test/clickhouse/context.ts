import { type ClickHouse, createClickHouse } from '../../apps/server/src/platform/clickhouse/clickhouse.ts';
import { createClickHouseRows } from '../../apps/server/src/scans/stores/clickhouse/clickhouse-rows.ts';
import { createClickHouseScans } from '../../apps/server/src/scans/stores/clickhouse/clickhouse-scans.ts';
import { compareFigures } from './scans/compare.ts';
import { type Account, createGenerator, makeAccount, type ScanGenerator } from './scans/generate.ts';
import type { HeldScan } from './scans/held-scan.ts';
import type { Scratch } from './scratch.ts';

export type CheckOptions = {
  readonly url: string;
  readonly scans: number;
  /** The names of the checks to run; all of them by default. */
  readonly only?: readonly string[] | undefined;
  /** A disk of the server that its own backups may be written to; none by default. */
  readonly backupDisk?: string | undefined;
};

/** What the checks share. */
export type CheckContext = {
  readonly options: CheckOptions;
  readonly scratch: Scratch;
  /** The address of the database that the checks work in. */
  readonly url: string;
  readonly clickhouse: ClickHouse;
  readonly rows: ReturnType<typeof createClickHouseRows>;
  readonly generator: ScanGenerator;
  /** Accounts whose figures are compared. */
  readonly accounts: readonly Account[];
  /** Their scans, as they should be stored. */
  held: readonly HeldScan[];
  /** Compares all figures with `held`; returns how many. */
  compare(clickhouse?: ClickHouse, areAllCases?: boolean): Promise<number>;
};

export async function openContext(options: CheckOptions, scratch: Scratch): Promise<CheckContext> {
  const url = await scratch.create();
  const clickhouse = await createClickHouse(url);
  const context: CheckContext = {
    options,
    scratch,
    url,
    clickhouse,
    rows: createClickHouseRows(clickhouse),
    generator: createGenerator(),
    accounts: [makeAccount(12), makeAccount(6)],
    held: [],
    compare: (asked = clickhouse, areAllCases = false) =>
      compareFigures(createClickHouseScans(asked), context.accounts, context.held, areAllCases),
  };
  return context;
}
