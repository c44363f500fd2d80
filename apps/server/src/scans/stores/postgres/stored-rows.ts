import { type Database, sql, unprepared } from '../../../platform/postgres/postgres.ts';
import { type CodeSum, rowCheck } from '../month-sums.ts';
import { type ScanRow, scanColumns } from '../scan-row.ts';
import { monthlyTables } from './partitions.ts';

/** A row of a shard, in the order of its log. */
export type RowPosition = { readonly log: number; readonly position: number; readonly place: number };

export type PlacedRow = RowPosition & { readonly shard: number; readonly row: ScanRow };

/** The rows of a shard after one position, and up to another one if it is given. */
export type RowSpan = {
  readonly shard: number;
  readonly after: RowPosition;
  readonly upTo: RowPosition | null;
};

export async function countRows(db: Database, month: string): Promise<number> {
  const [row] = await db.query<{ rows: number }>(countMonth, [month]);
  return row!.rows;
}

/**
 * Visits the rows of a month from one snapshot, shard by shard in the order of the log, some at a time. Of shards that are not
 * in `spans`, it visits all rows if there is no `only`.
 */
export async function visitRows(
  db: Database,
  {
    month,
    spans,
    only = false,
  }: { readonly month: string; readonly spans: readonly RowSpan[]; readonly only?: boolean },
  rowsPerStep: number,
  visit: (rows: readonly PlacedRow[]) => Promise<void>,
): Promise<void> {
  const column = (pick: (span: RowSpan) => number | null | undefined) =>
    spans.map(span => pick(span) ?? null);
  await db.transaction(async tx => {
    await tx.query(unprepared('set transaction isolation level repeatable read, read only'));
    await tx.query(openRows, [
      month,
      only,
      column(({ shard }) => shard),
      column(({ after }) => after.log),
      column(({ after }) => after.position),
      column(({ after }) => after.place),
      column(({ upTo }) => upTo?.log),
      column(({ upTo }) => upTo?.position),
      column(({ upTo }) => upTo?.place),
    ]);
    for (;;) {
      const rows = await tx.query<Readonly<Record<string, string | number>>>(
        unprepared(`fetch ${rowsPerStep} from scans_in_log_order`),
      );
      if (rows.length === 0) return;
      await visit(rows.map(toPlacedRow));
    }
  });
}

const columnNames = Object.keys(scanColumns);

const toPlacedRow = (row: Readonly<Record<string, string | number>>): PlacedRow => ({
  shard: Number(row.shard),
  log: Number(row.log_number),
  position: Number(row.position),
  place: Number(row.place),
  row: columnNames.map(name => row[name]) as readonly (string | number)[] as ScanRow,
});

export const sumMonth = (db: Database, month: string): Promise<CodeSum[]> => db.query(sumByCode, [month]);

/** The bytes of all rows with their indexes and roll-ups. */
export async function measureRows(db: Database): Promise<number> {
  const [row] = await db.query<{ bytes: number }>(sizeOfRows, [monthlyTables]);
  return row!.bytes;
}

/** An estimate by PostgreSQL's statistics: a count would read all rows. */
export async function estimateRows(db: Database): Promise<number> {
  const [row] = await db.query<{ rows: number }>(estimate);
  return row!.rows;
}

export async function hasRows(db: Database): Promise<boolean> {
  return (await db.query(findAny)).length > 0;
}

/** Frees the space of all rows at once. Only after another store has them. */
export async function removeAllRows(tx: Database): Promise<void> {
  await tx.query(truncate);
}

const inMonth = `at >= ($1 || '-01')::timestamp at time zone 'UTC'
           and at < (($1 || '-01')::timestamp + interval '1 month') at time zone 'UTC'`;

const selected = (name: string) =>
  name === 'at'
    ? 'round(extract(epoch from at), 3)::text as at'
    : name === 'is_unique'
      ? 'is_unique::int'
      : `s.${name}`;

const partitions = `pg_class c join pg_inherits i on i.inhrelid = c.oid where i.inhparent = 'scans'::regclass`;

const countMonth = sql('scans-count-month', `select count(*) as rows from scans where ${inMonth}`);

const openRows = unprepared(
  `declare scans_in_log_order no scroll cursor for
   select ${columnNames.map(selected).join(', ')}
     from scans s
     left join unnest($3::integer[], $4::integer[], $5::bigint[], $6::integer[], $7::integer[], $8::bigint[], $9::integer[])
          as span (of_shard, after_log, after_position, after_place, to_log, to_position, to_place) on of_shard = s.shard
    where ${inMonth}
      and case when of_shard is null then not $2::boolean
               else (s.log_number, s.position, s.place) > (after_log, after_position, after_place)
                and (to_log is null or (s.log_number, s.position, s.place) <= (to_log, to_position, to_place)) end
    order by s.shard, s.log_number, s.position, s.place`,
);

const sumByCode = sql(
  'scans-sum-month',
  `select qr_code_id as "qrCodeId", account_id as "accountId", mode, count(*) as scans,
          count(*) filter (where is_unique) as uniques, sum(${rowCheck})::bigint as check
     from scans where ${inMonth} group by 1, 2, 3`,
);

const findAny = sql('scans-any', 'select from scans limit 1');

const sizeOfRows = sql(
  'scans-size',
  `select coalesce(sum(pg_total_relation_size(inhrelid)), 0)::bigint as bytes from pg_inherits
    where inhparent = any($1::text[]::regclass[])`,
);

const estimate = sql(
  'scans-estimate',
  `select coalesce(sum(greatest(c.reltuples, 0)), 0)::bigint as rows from ${partitions}`,
);

const truncate = sql('scans-truncate', `truncate scan_roll_ups, ${monthlyTables.join(', ')}`);
