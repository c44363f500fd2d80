import { type Database, sql } from '../platform/postgres.ts';

/** How a backup came about: by us, or by other means and only told to us. */
export type BackupKind = 'full' | 'recorded';

/** The last whole backup; where there was never one, since when one has been waited for. */
export type LastBackup =
  | {
      readonly kind: BackupKind;
      readonly finishedAt: Date;
      readonly ageSeconds: number;
      readonly bytes: number | null;
    }
  | { readonly kind: 'none'; readonly waitingSeconds: number };

/** Notes that a backup is whole. By PostgreSQL's clock, unless it was finished at another time. */
export async function recordBackup(
  db: Database,
  kind: BackupKind,
  bytes: number | null,
  finishedAt: string | null = null,
): Promise<void> {
  await db.query(addBackup, [kind, bytes, finishedAt]);
  await db.query(forgetOld, [kept]);
}

const kept = 100;

const addBackup = sql(
  'add-backup',
  'insert into backups (kind, bytes, finished_at) values ($1, $2, coalesce($3::timestamptz, now()))',
);

const forgetOld = sql(
  'forget-old-backups',
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
