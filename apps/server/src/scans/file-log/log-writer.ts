import type { Clock } from '../../kernel/clock.ts';
import { withTimeout } from '../../kernel/with-timeout.ts';
import { type EncodedBatch, scansIn } from '../log/batch.ts';
import { ScanLogError } from '../log/scan-log-error.ts';
import type { SpoolDirectory } from '../spool/directory.ts';
import { packRecord } from '../spool/records.ts';
import { createSegmentWriter } from '../spool/segment-writer.ts';
import { type Segments, segmentName } from './segments.ts';

/** Appends batches: one write and one fdatasync for all that wait. */
export type LogWriter = {
  /** Resolves when the batch is on disk. */
  append(batch: EncodedBatch, timeoutMs: number, evenIfFull: boolean): Promise<void>;
  /** Resolves at the next append. */
  appended(): Promise<void>;
  isOpen(): boolean;
  close(): Promise<void>;
};

type Options = {
  readonly directory: SpoolDirectory;
  readonly clock: Clock;
  readonly segments: Segments;
  readonly maxBytes: number;
  readonly segmentBytes: number;
};

type Waiting = {
  readonly batch: EncodedBatch;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
};

/** Batches that wait in memory for the disk. At this limit the disk is not keeping up. */
const maxWaitingBytes = 32 * 1024 * 1024;

export function createLogWriter({ directory, clock, segments, maxBytes, segmentBytes }: Options): LogWriter {
  let waiting: Waiting[] = [];
  let waitingBytes = 0;
  let writing: Promise<void> = Promise.resolve();
  let appended = Promise.withResolvers<void>();
  let isClosed = false;
  const writer = createSegmentWriter({
    directory,
    clock,
    segmentBytes,
    nameOf: time => segmentName(time, segments.begin(time)),
    onSealed: segments.sealed,
  });

  async function flush(): Promise<void> {
    const group = waiting;
    waiting = [];
    waitingBytes = 0;
    const records = Buffer.concat(group.map(({ batch }) => packRecord(batch.bytes)));
    const scans = group.reduce((sum, { batch }) => sum + scansIn(batch.bytes), 0);
    try {
      await writer.write(records, scans);
    } catch (error) {
      segments.dropEmpty();
      for (const { reject } of group) reject(error);
      return;
    }
    segments.added(group.length, writer.isOpen() ? records.length : 0);
    for (const { resolve } of group) resolve();
    appended.resolve();
    appended = Promise.withResolvers();
  }

  return {
    async append(batch, timeoutMs, evenIfFull) {
      if (isClosed) throw new ScanLogError('away', 'The scan log is closed');
      if (!evenIfFull && segments.bytes() >= maxBytes)
        throw new ScanLogError('full', 'The scan log has reached SPOOL_MAX_MB');
      if (waitingBytes + batch.bytes.length > maxWaitingBytes)
        throw new ScanLogError('away', 'The disk is not keeping up');
      waitingBytes += batch.bytes.length;
      const written = new Promise<void>((resolve, reject) => {
        waiting.push({ batch, resolve, reject });
        // The first batch schedules a write; those that arrive before it runs share it.
        if (waiting.length === 1) writing = writing.then(flush);
      });
      await withTimeout(timeoutMs, written);
    },
    appended: () => appended.promise,
    isOpen: () => !isClosed,
    async close() {
      isClosed = true;
      await writing;
      await writer.seal();
    },
  };
}
