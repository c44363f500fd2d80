import { type Database, sql } from '../platform/postgres.ts';

/** Spools that processes left behind with scans in them, as far as they could say so when they stopped. */
export type SpoolsLeft = {
  note(left: LeftSpool): Promise<void>;
  /** Somebody works on that spool again, or has emptied it. */
  forget(spoolId: string): Promise<void>;
  list(): Promise<readonly ListedSpool[]>;
};

export type LeftSpool = {
  readonly spoolId: string;
  readonly host: string;
  readonly directory: string;
  readonly scans: number;
  readonly bytes: number;
};

export type ListedSpool = Omit<LeftSpool, 'spoolId'> & { readonly leftSecondsAgo: number };

export function createSpoolsLeft(db: Database): SpoolsLeft {
  return {
    async note({ spoolId, host, directory, scans, bytes }) {
      await db.query(noteLeft, [spoolId, host, directory, scans, bytes]);
    },
    async forget(spoolId) {
      await db.query(forgetLeft, [spoolId]);
    },
    async list() {
      const rows = await db.query<Row>(listLeft);
      return rows.map(({ host, directory, scans, bytes, left_seconds_ago }) => ({
        host,
        directory,
        scans: Number(scans),
        bytes: Number(bytes),
        leftSecondsAgo: Number(left_seconds_ago),
      }));
    },
  };
}

type Row = {
  readonly host: string;
  readonly directory: string;
  readonly scans: string;
  readonly bytes: string;
  readonly left_seconds_ago: string;
};

/** Set, not added: what was noted before may have been taken over since, and be among what is left now. */
const noteLeft = sql(
  'note-spool-left',
  `insert into spools_left (spool_id, host, directory, scans, bytes) values ($1, $2, $3, $4, $5)
   on conflict (spool_id, host) do update
     set directory = excluded.directory, left_at = now(), scans = excluded.scans, bytes = excluded.bytes`,
);

const forgetLeft = sql('forget-spool-left', 'delete from spools_left where spool_id = $1');

/** More than these nobody reads, and each is a series. */
const listLeft = sql(
  'list-spools-left',
  `select host, directory, sum(scans) as scans, sum(bytes) as bytes,
          extract(epoch from now() - min(left_at)) as left_seconds_ago
   from spools_left group by host, directory order by min(left_at) limit 100`,
);
