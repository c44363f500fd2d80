import { type Database, sql } from '../platform/postgres.ts';

/** For how long a month has had hidden rows, and how long ago ClickHouse was asked to rewrite it, if it was. */
export type NotedMonth = {
  readonly month: string;
  readonly seconds: number;
  readonly askedSeconds: number | null;
  /** Whether that rewriting is not known to be done. */
  readonly isPending: boolean;
};

/** A month with hidden rows, and the oldest version of the parts that have some. */
type MaskedMonth = { readonly month: string; readonly version: number };

/**
 * Keeps since when months have hidden rows. Where every part with hidden rows is newer than the last rewriting, these rows
 * were hidden after it was asked for.
 */
export async function noteMonths(
  db: Database,
  months: readonly MaskedMonth[],
): Promise<ReadonlyMap<string, NotedMonth>> {
  const names = months.map(({ month }) => month);
  await db.query(dropMonths, [names]);
  await db.query(addMonths, [names]);
  await db.query(restartMonths, [names, months.map(({ version }) => version)]);
  const noted = await db.query<NotedMonth>(readMonths);
  return new Map(noted.map(one => [one.month, one]));
}

/** Before the rewriting is asked for, so that nothing hidden after this is older than it is said to be. */
export async function noteAsking(db: Database, month: string): Promise<void> {
  await db.query(startAsking, [month]);
}

export async function noteAsked(db: Database, month: string, version: number): Promise<void> {
  await db.query(setAsked, [month, version]);
}

/** A rewriting that was stopped has rewritten nothing: its months are as old as before. */
export async function noteStopped(db: Database, versions: readonly number[]): Promise<void> {
  await db.query(dropAsked, [versions]);
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
          extract(epoch from now() - asked_at)::float8 as "askedSeconds",
          coalesce(asked_at > since, false) as "isPending"
     from hidden_months`,
);

const startAsking = sql(
  'ask-hidden-month',
  'update hidden_months set asked_at = now(), asked_version = null where month = $1',
);

const setAsked = sql('asked-hidden-month', 'update hidden_months set asked_version = $2 where month = $1');

const dropAsked = sql(
  'stopped-hidden-months',
  'update hidden_months set asked_version = null where asked_version = any($1::bigint[])',
);
