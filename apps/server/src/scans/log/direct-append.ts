import type { Database } from '../../platform/postgres/postgres.ts';
import type { ScanBatch } from '../scan.ts';
import { encodeBatch, newestVersion } from './format/batch.ts';
import { readVersion } from './readers.ts';
import type { LogAppender, ScanLog } from './scan-log.ts';
import { chooseBatchShard, createShardChooser } from './sharding.ts';
import { createSpreadLookup, listSpreads } from './spreads.ts';

/** The log gave no acknowledgement. The batch may be in it all the same. */
export class NotAppended extends Error {}

/** Appends a batch whole to the log, and nowhere else: there is no spool behind it. Rejects with `NotAppended`. */
export type DirectAppend = (db: Database, batch: ScanBatch) => Promise<void>;

type Options = {
  /** One for each shard. Called with the first batch, so that a process that never has one opens none. */
  readonly openAppenders: () => readonly LogAppender[];
  readonly log: () => Pick<ScanLog, 'ready'>;
  /** Whether this process alone reads what it writes. */
  readonly isAlone: boolean;
};

/** For the streams to be there, and for the acknowledgement. */
const timeoutsMs = { ready: 3_000, append: 5_000 } as const;

export function createDirectAppend({ openAppenders, log, isAlone }: Options): DirectAppend {
  return async (db, batch) => {
    const version = isAlone ? newestVersion : await readVersion(db);
    const getSpread = createSpreadLookup(await listSpreads(db));
    const encoded = encodeBatch(batch, version);
    const appenders = openAppenders();
    const shard = chooseBatchShard(encoded.bytes, createShardChooser(appenders.length, getSpread));
    try {
      await log().ready(shard, AbortSignal.timeout(timeoutsMs.ready));
      await appenders[shard]!.append(encoded, timeoutsMs.append);
    } catch (cause) {
      throw new NotAppended('The scan log did not acknowledge a batch', { cause });
    }
  };
}
