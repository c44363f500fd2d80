import { type Database, sql } from '../platform/postgres/postgres.ts';

/** How a backup was made: by Signpost, or by other means and only recorded here. */
export type BackupKind = 'full' | 'recorded';

/** The last complete backup; if there was none, how long there has been none. */
export type LastBackup =
  | {
      readonly kind: BackupKind;
      readonly finishedAt: Date;
      readonly ageSeconds: number;
      readonly bytes: number | null;
    }
  | { readonly kind: 'none'; readonly waitingSeconds: number };

/** Records a complete backup. Finished now by PostgreSQL's clock, unless another time is given. */
export async function recordBackup(
  db: Database,
  kind: BackupKind,
  bytes: number | null,
  finishedAt: string | null = null,
): Promise<void> {
  await db.query(addBackup, [kind, bytes, finishedAt]);
  await db.query(pruneOld, [maxRecords]);
}

const maxRecords = 100;

const addBackup = sql(
  'add-backup',
  'insert into backups (kind, bytes, finished_at) values ($1, $2, coalesce($3::timestamptz, now()))',
);

const pruneOld = sql(
  'prune-old-backups',
  `delete from backups where kind <> 'none' and id not in
     (select id from backups where kind <> 'none' order by finished_at desc, id desc limit $1)`,
);

export async function lastBackup(db: Database): Promise<LastBackup> {
  const [row] = await db.query<Row>(findLast);
  if (!row || row.kind === 'none') return { kind: 'none', waitingSeconds: row?.age ?? 0 };
  return { kind: row.kind, finishedAt: row.finished_at, ageSeconds: row.age, bytes: row.bytes };
}

type Row = {
  readonly kind: BackupKind | 'none';
  readonly finished_at: Date;
  readonly age: number;
  readonly bytes: number | null;
};

const findLast = sql(
  'last-backup',
  `select kind, finished_at, greatest(0, extract(epoch from now() - finished_at))::float8 as age, bytes
     from backups order by kind = 'none', finished_at desc limit 1`,
);
