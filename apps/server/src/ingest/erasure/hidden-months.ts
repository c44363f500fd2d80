import { type Database, sql } from '../../platform/postgres/postgres.ts';

/** How long a month has had hidden rows, and how long ago its rewrite was requested, if it was. */
export type HiddenMonthRecord = {
  readonly month: string;
  readonly seconds: number;
  readonly requestedSecondsAgo: number | null;
  /** Whether that rewrite is not known to be done. */
  readonly isPending: boolean;
};

/** A month with hidden rows, and the oldest version of the parts that have some. */
type MaskedMonth = { readonly month: string; readonly version: number };

/**
 * Records since when months have hidden rows. If every part with hidden rows is newer than the last rewrite, these rows were
 * hidden after it was requested.
 */
export async function recordMonths(
  db: Database,
  months: readonly MaskedMonth[],
): Promise<ReadonlyMap<string, HiddenMonthRecord>> {
  const names = months.map(({ month }) => month);
  await db.query(dropMonths, [names]);
  await db.query(addMonths, [names]);
  await db.query(restartMonths, [names, months.map(({ version }) => version)]);
  const records = await db.query<HiddenMonthRecord>(readMonths);
  return new Map(records.map(record => [record.month, record]));
}

/** Call it before the rewrite is requested, so that the age of rows hidden afterwards is never overstated. */
export async function recordRewriteRequested(db: Database, month: string): Promise<void> {
  await db.query(startRewrite, [month]);
}

export async function recordRewriteVersion(db: Database, month: string, version: number): Promise<void> {
  await db.query(setRewriteVersion, [month, version]);
}

/** A rewrite that was stopped has rewritten nothing: its months are as old as before. */
export async function recordRewriteStopped(db: Database, versions: readonly number[]): Promise<void> {
  await db.query(dropRewriteVersions, [versions]);
}

const dropMonths = sql('drop-hidden-months', 'delete from hidden_months where month <> all($1::text[])');

const addMonths = sql(
  'add-hidden-months',
  'insert into hidden_months (month) select unnest($1::text[]) on conflict (month) do nothing',
);

const restartMonths = sql(
  'restart-hidden-months',
  `update hidden_months m set since = m.asked_at, asked_version = null
     from unnest($1::text[], $2::bigint[]) as masked (month, version)
    where m.month = masked.month and m.asked_version <= masked.version`,
);

const readMonths = sql(
  'read-hidden-months',
  `select month, extract(epoch from now() - since)::float8 as seconds,
          extract(epoch from now() - asked_at)::float8 as "requestedSecondsAgo",
          coalesce(asked_at > since, false) as "isPending"
     from hidden_months`,
);

const startRewrite = sql(
  'request-hidden-month',
  'update hidden_months set asked_at = now(), asked_version = null where month = $1',
);

const setRewriteVersion = sql(
  'requested-hidden-month',
  'update hidden_months set asked_version = $2 where month = $1',
);

const dropRewriteVersions = sql(
  'stopped-hidden-months',
  'update hidden_months set asked_version = null where asked_version = any($1::bigint[])',
);
