import type { Uuid } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import type { Month } from '../stores/month.ts';

/** What a run begins with. */
export type RetentionState = {
  readonly countedFrom: Month;
  readonly retainedFrom: Month | null;
  /** The first month that the setting keeps, by PostgreSQL's clock; null if it keeps all. */
  readonly keptFrom: Month | null;
};

export async function readState(db: Database, retentionMonths: number | null): Promise<RetentionState> {
  const [row] = await db.query<RetentionState>(findState, [retentionMonths]);
  return row!;
}

/** Another run has taken over, or none of this id runs. */
export class RunTaken extends Error {
  constructor() {
    super('Another process removes months of scans');
    this.name = 'RunTaken';
  }
}

/** True for the one run that may remove months. One that is not heard of for ten seconds has ended. */
export async function claimRun(db: Database, run: Uuid): Promise<boolean> {
  return (await db.query(claim, [run])).length > 0;
}

export async function renewRun(db: Database, run: Uuid): Promise<boolean> {
  return (await db.query(renew, [run])).length > 0;
}

export async function releaseRun(db: Database, run: Uuid): Promise<void> {
  await db.query(release, [run]);
}

/** Writes in a transaction, unless another run has taken over: then it throws. */
export const asRun = <Result>(
  db: Database,
  run: Uuid,
  write: (tx: Database) => Promise<Result>,
): Promise<Result> =>
  db.transaction(async tx => {
    if (!(await renewRun(tx, run))) throw new RunTaken();
    return await write(tx);
  });

/** From the commit on no scan before this month is counted; those that were are committed. */
export async function closeMonths(tx: Database, keptFrom: Month): Promise<void> {
  await tx.query(close, [keptFrom]);
}

/** From the commit on figures take this month from its sums. */
export async function recordSummed(tx: Database, month: Month, next: Month): Promise<void> {
  await tx.query(advance, [month, next]);
}

const findState = sql(
  'scan-retention-state',
  `select counted_from as "countedFrom", retained_from as "retainedFrom",
          to_char((now() at time zone 'UTC') - $1::integer * interval '1 month', 'YYYY-MM') as "keptFrom"
     from scan_retention`,
);

const claim = sql(
  'scan-retention-claim',
  `update scan_retention set run = $1, run_at = now()
    where run is null or run = $1 or run_at < now() - interval '10 seconds' returning run`,
);

const renew = sql(
  'scan-retention-renew',
  'update scan_retention set run_at = now() where run = $1 returning run',
);

const release = sql('scan-retention-release', 'update scan_retention set run = null where run = $1');

const close = sql(
  'scan-retention-close',
  'update scan_retention set counted_from = $1 where counted_from < $1',
);

const advance = sql(
  'scan-retention-advance',
  `update scan_retention
      set retained_from = $2,
          removed_from = coalesce(removed_from, (select $1::text where exists (select from scan_sums where month = $1)))`,
);
