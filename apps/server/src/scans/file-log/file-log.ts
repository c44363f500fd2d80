import type { Clock } from '../../kernel/clock.ts';
import type { LogState } from '../log/meter.ts';
import type { LogAppender, ScanLog } from '../log/scan-log.ts';
import { openNamedDirectory } from '../spool/directory.ts';
import { loadCreatedAt } from './identity.ts';
import { createLogWriter } from './log-writer.ts';
import { readEntries } from './reading.ts';
import { createSegments, readSegments } from './segments.ts';

/**
 * The scan log of an installation that is one process: segments in the format of the spool, on the local disk. An append is
 * acked when it is on disk. A process that is not `solo` adopts the segments like those of any spool.
 */
export type FileLog = Omit<ScanLog, 'appender' | 'readState' | 'readSize' | 'shards'> & {
  appender(): LogAppender;
  shards(): Promise<readonly number[]>;
  readState(): Promise<LogState>;
  readSize(): ReturnType<ScanLog['readSize']>;
  /** The position from which a log has to be kept that keeps what is newer than this. */
  keepFrom(olderThanMs: number): number;
  keepWithin(maxBytes: number): number;
  close(): Promise<void>;
};

type Options = {
  /** The root of the spool. */
  readonly root: string;
  readonly clock: Clock;
  /** Appends are refused at this size. */
  readonly maxBytes: number;
  /** The last segment is never trimmed, so it must be a small part of the log. */
  readonly segmentBytes?: number;
};

/** The directory of the log under the root of the spool. */
export const logDirectory = 'scan-log';

/** The only shard. */
const shard = 0;

export async function openFileLog({
  root,
  clock,
  maxBytes,
  segmentBytes = Math.min(4 * 1024 * 1024, maxBytes / 4),
}: Options): Promise<FileLog> {
  const directory = await openNamedDirectory(root, logDirectory);
  try {
    const segments = createSegments(directory.path, await readSegments(directory.path));
    const createdAt = await loadCreatedAt(directory.path, segments.lastPosition() === 0, clock.now());
    const writer = createLogWriter({ root, directory, clock, segments, maxBytes, segmentBytes });
    const markAt: ScanLog['markAt'] = async (_shard, position) => {
      const entry = await segments.entryAt(position);
      return entry && entry.kind !== 'missing' ? entry.mark : null;
    };
    const readTime: ScanLog['readTime'] = async (_shard, position) => {
      const mark = await markAt(shard, position);
      return mark && new Date(mark.appendedAtMs);
    };
    return {
      appender: () => ({
        isLocal: true,
        available: writer.isAvailable,
        append: writer.append,
      }),
      ready: async () => undefined,
      shards: async () => [shard],
      async readState() {
        const lastPosition = segments.lastPosition();
        const lastAt = await readTime(shard, lastPosition);
        const firstPosition = segments.firstPosition();
        return { createdAt, firstPosition, lastPosition, lastAtMs: lastAt?.getTime() ?? null };
      },
      readSize: async () => ({
        bytes: segments.bytes(),
        createdAt,
        firstPosition: segments.firstPosition(),
        lastPosition: segments.lastPosition(),
      }),
      lastPosition: async () => segments.lastPosition(),
      markAt,
      readTime,
      read: (_shard, afterPosition, signal, known = {}) =>
        readEntries({ segments, createdAt, appended: writer.appended, afterPosition, known, signal }),
      trim: (_shard, position) => segments.removeBefore(position),
      keepFrom: segments.keepFrom,
      keepWithin: segments.keepWithin,
      async close() {
        await writer.close();
        await directory.close();
      },
    };
  } catch (error) {
    await directory.close();
    throw error;
  }
}
