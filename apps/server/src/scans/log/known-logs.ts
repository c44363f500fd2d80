import { type Database, sql } from '../../platform/postgres/postgres.ts';

/** How the creation time of a log ends that is on the disk of the only process. */
export const onDisk = ' on disk';

/** When a log was created. */
export const createdMs = (created: string): number => Date.parse(created.replace(onDisk, ''));

/** What is known of a log that a shard has had. */
export type KnownLogRow = {
  readonly created: string;
  readonly reached: number;
  readonly reached_ms: number | null;
  readonly acked: number;
};

/** Records a log of a shard when it is first seen, and resolves to what is known of it. */
export async function recordLog(
  db: Database,
  shard: number,
  number: number,
  createdAt: string,
): Promise<KnownLogRow> {
  const [row] = await db.query<KnownLogRow>(insertLog, [shard, number, createdAt]);
  return row!;
}

/** Records, when another log has taken its place, how far a log was counted and how much of the rest the other has. */
export async function closeLog(
  tx: Database,
  shard: number,
  number: number,
  countedTo: number,
  keptEntries: number,
): Promise<void> {
  await tx.query(setReplaced, [shard, number, countedTo, keptEntries]);
}

/** Moves on how far a log is known to reach, unless another process has done so meanwhile. */
export async function moveReached(
  db: Database,
  { shard, number, from }: { readonly shard: number; readonly number: number; readonly from: number },
  to: number,
  takenAtMs: number,
): Promise<void> {
  await db.query(setReached, [shard, number, from, to, takenAtMs]);
}

const insertLog = sql(
  'record-log',
  `insert into scan_logs as known (shard, number, created) values ($1, $2, $3)
   on conflict (shard, number) do update set created = coalesce(known.created, excluded.created)
   returning created, reached, reached_ms, acked`,
);

const setReplaced = sql(
  'close-log',
  `update scan_logs set replaced_at = now(), counted_to = $3, kept_entries = $4 where shard = $1 and number = $2`,
);

const setReached = sql(
  'set-reached',
  `update scan_logs set reached = $4, reached_ms = $5
    where shard = $1 and number = $2 and reached = $3`,
);
