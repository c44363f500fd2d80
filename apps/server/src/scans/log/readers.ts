import { type BackgroundJob, poll } from '../../platform/background-jobs.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import { newestVersion } from './format/batch.ts';
import { type BatchVersion, batchVersions } from './format/scan-bytes.ts';

/*
 * Which layouts of a batch can be read. Every ingest announces the newest that it knows, and redirects write the newest that
 * all of them know: so a new layout can be rolled out in any order of processes, and rolled back.
 */

const announceEveryMs = 5_000;
/** An ingest that has not announced itself for this long has ended. */
const goneMs = 30_000;

const announce = sql(
  'announce-log-reader',
  `insert into log_readers (process_id, version, seen_at) values ($1, $2, now())
   on conflict (process_id) do update set version = excluded.version, seen_at = now()`,
);
const removeGone = sql(
  'remove-gone-log-readers',
  `delete from log_readers where seen_at < now() - $1 * interval '1 millisecond'`,
);
const withdraw = sql('withdraw-log-reader', 'delete from log_readers where process_id = $1');
const oldestReader = sql(
  'oldest-log-reader',
  `select min(version) as version from log_readers where seen_at >= now() - $1 * interval '1 millisecond'`,
);

/** Announces an ingest for as long as the job runs. `withdraw` is called when it has ended. */
export function createReaderAnnouncement(
  db: Database,
  id: string,
): {
  readonly job: BackgroundJob;
  readonly withdraw: () => Promise<unknown>;
} {
  return {
    job: {
      name: 'announce a reader of the log',
      everyMs: announceEveryMs,
      async run() {
        await db.query(announce, [id, newestVersion]);
        await db.query(removeGone, [10 * goneMs]);
        return false;
      },
    },
    withdraw: () => db.query(withdraw, [id]),
  };
}

/** How long ago an ingest that has not withdrawn was last there; null if none was lately. */
export async function secondsSinceReader(db: Database): Promise<number | null> {
  const [row] = await db.query<{ seconds: number | null }>(newestReader, [2 * announceEveryMs]);
  return row?.seconds ?? null;
}

const newestReader = sql(
  'newest-log-reader',
  `select extract(epoch from now() - max(seen_at))::float8 as seconds from log_readers
    where seen_at >= now() - $1 * interval '1 millisecond'`,
);

/** The version that a redirect writes. It begins with the oldest, which every ingest can read. */
export function watchReaders(db: Database, everyMs = announceEveryMs) {
  let version: BatchVersion = batchVersions[0];
  const stop = poll(everyMs, async () => {
    // Without an answer, and without any ingest, what was known last still holds.
    version = await readVersion(db, version).catch(() => version);
  });
  return { version: (): BatchVersion => version, stop };
}

/** The version that every ingest of this moment can read; without any ingest, the one that is given. */
export async function readVersion(
  db: Database,
  otherwise: BatchVersion = batchVersions[0],
): Promise<BatchVersion> {
  const [oldest] = await db.query<{ version: number | null }>(oldestReader, [goneMs]);
  const readable = oldest?.version ?? otherwise;
  return batchVersions.findLast(known => known <= readable) ?? batchVersions[0];
}
