import { type Database, sql } from '../../platform/postgres/postgres.ts';

/** Spools that processes left behind with scans in them, as reported when they stopped. */
export type SpoolsLeft = {
  record(left: LeftSpool): Promise<void>;
  /** A process uses that spool again, or it was drained. */
  remove(spoolId: string): Promise<void>;
  list(): Promise<readonly ListedSpool[]>;
};

type LeftSpool = {
  readonly spoolId: string;
  readonly host: string;
  readonly directory: string;
  readonly scans: number;
  readonly bytes: number;
};

export type ListedSpool = Omit<LeftSpool, 'spoolId'> & { readonly leftSecondsAgo: number };

export function createSpoolsLeft(db: Database): SpoolsLeft {
  return {
    async record({ spoolId, host, directory, scans, bytes }) {
      await db.query(recordLeft, [spoolId, host, directory, scans, bytes]);
    },
    async remove(spoolId) {
      await db.query(removeLeft, [spoolId]);
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

/** Replaces the old figures instead of adding to them: what was left before may have been adopted and be included now. */
const recordLeft = sql(
  'record-spool-left',
  `insert into spools_left (spool_id, host, directory, scans, bytes) values ($1, $2, $3, $4, $5)
   on conflict (spool_id, host) do update
     set directory = excluded.directory, left_at = now(), scans = excluded.scans, bytes = excluded.bytes`,
);

const removeLeft = sql('remove-spool-left', 'delete from spools_left where spool_id = $1');

/** Limited, because each row is a time series. */
const listLeft = sql(
  'list-spools-left',
  `select host, directory, sum(scans) as scans, sum(bytes) as bytes,
          extract(epoch from now() - min(left_at)) as left_seconds_ago
   from spools_left group by host, directory order by min(left_at) limit 100`,
);
