import type { Uuid } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import type { RowPosition } from '../../scans/stores/postgres/stored-rows.ts';

/** How far a month and shard are copied, and the insert that may be under way. */
export type Progress = {
  readonly shard: number;
  readonly id: Uuid;
  readonly after: RowPosition;
  readonly pending: RowPosition | null;
};

/** Before all rows. */
export const start: RowPosition = { log: 0, position: -1, place: -1 };

type ProgressRow = RowPosition & {
  readonly shard: number;
  readonly id: Uuid;
  readonly to_log: number | null;
  readonly to_position: number | null;
  readonly to_place: number | null;
};

export async function readProgress(db: Database, month: string): Promise<Progress[]> {
  const rows = await db.query<ProgressRow>(findProgress, [month]);
  return rows.map(({ shard, id, log, position, place, to_log, to_position, to_place }) => ({
    shard,
    id,
    after: { log, position, place },
    pending: to_log === null ? null : { log: to_log, position: to_position!, place: to_place! },
  }));
}

/** Writes down an insert before it is sent. Resolves to the id of the month and shard. */
export async function beginInsert(
  db: Database,
  month: string,
  shard: number,
  { after, upTo }: { readonly after: RowPosition; readonly upTo: RowPosition },
): Promise<Uuid> {
  const values = [month, shard, ...toValues(after), ...toValues(upTo)];
  const [row] = await db.query<{ id: Uuid }>(begin, values);
  return (row ?? otherCommand()).id;
}

/** Writes down that ClickHouse has the rows of the insert. */
export async function finishInsert(
  db: Database,
  month: string,
  {
    shard,
    id,
    pending,
    rows,
  }: Pick<Progress, 'shard' | 'id'> & { readonly pending: RowPosition; readonly rows: number },
): Promise<void> {
  const finished = await db.query(finish, [month, shard, id, ...toValues(pending), rows]);
  if (finished.length === 0) otherCommand();
}

/** Scans that are known to be copied, of all months. */
export async function countCopied(db: Database): Promise<number> {
  const [row] = await db.query<{ rows: number }>(sumCopied);
  return row!.rows;
}

/** Begins again with a month, or with all. */
export async function forgetProgress(db: Database, month: string | null = null): Promise<void> {
  await db.query(forget, [month]);
}

const toValues = ({ log, position, place }: RowPosition) => [log, position, place];

function otherCommand(): never {
  throw new Error('Another `signpost move-scans` is at work. Wait until it has ended, then run this again.');
}

const findProgress = sql(
  'scan-moves-find',
  `select shard, id, log, position, place, to_log, to_position, to_place from scan_moves where month = $1 order by shard`,
);

const begin = sql(
  'scan-moves-begin',
  `insert into scan_moves as m (month, shard, log, position, place, to_log, to_position, to_place)
   values ($1, $2, $3, $4, $5, $6, $7, $8)
   on conflict (month, shard) do update
      set to_log = excluded.to_log, to_position = excluded.to_position, to_place = excluded.to_place
    where (m.log, m.position, m.place) = (excluded.log, excluded.position, excluded.place) and m.to_log is null
   returning id`,
);

const finish = sql(
  'scan-moves-finish',
  `update scan_moves
      set log = to_log, position = to_position, place = to_place, rows = rows + $7,
          to_log = null, to_position = null, to_place = null
    where month = $1 and shard = $2 and id = $3 and (to_log, to_position, to_place) = ($4, $5, $6)
   returning 1`,
);

const sumCopied = sql('scan-moves-sum', 'select coalesce(sum(rows), 0)::bigint as rows from scan_moves');

const forget = sql('scan-moves-forget', 'delete from scan_moves where month = $1 or $1 is null');
