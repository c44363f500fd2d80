import type { Clock } from '../../kernel/clock.ts';
import { countScans, type EncodedBatch } from '../log/format/batch.ts';
import { ScanLogError } from '../log/scan-log-error.ts';
import type { SpoolDirectory } from '../spool/directory.ts';
import { packRecord, recordHeaderBytes } from '../spool/records.ts';
import { releaseReserve } from '../spool/reserve.ts';
import { createSegmentWriter } from '../spool/segment-writer.ts';
import { type Segments, segmentName } from './segments.ts';

/** Appends batches: one write and one fdatasync for all that wait, up to the size of a segment. */
export type LogWriter = {
  /** Resolves when the batch is on disk. However long that takes: a caller that stops waiting may still get it written. */
  append(batch: EncodedBatch): Promise<void>;
  /** Resolves at the next append. */
  appended(): Promise<void>;
  /** False after the end, while the disk fails, and while it does not answer. */
  isAvailable(): boolean;
  close(): Promise<void>;
};

type Options = {
  /** The root of the spool. */
  readonly root: string;
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

/** A failed disk is not tried again for this long: until then every batch would hit the same fault. */
const retryAfterFaultMs = 1_000;

/** A write that takes longer has no answer from the disk. */
const silenceMs = 1_000;

export function createLogWriter(options: Options): LogWriter {
  const { root, directory, clock, segments, maxBytes, segmentBytes } = options;
  const waiting: Waiting[] = [];
  /** With those that are being written. */
  let waitingBytes = 0;
  let isWriting = false;
  let writing: Promise<void> = Promise.resolve();
  let writingSinceMs: number | null = null;
  let retryAtMs = 0;
  let appended = Promise.withResolvers<void>();
  let isClosed = false;
  const writer = createSegmentWriter({
    directory,
    clock,
    segmentBytes,
    nameSegment: time => segmentName(time, segments.begin(time)),
    onSealed: segments.sealed,
    freeSpace: () => releaseReserve(root),
  });

  /** What a segment has room for: one that is larger than the others could not be trimmed for long. */
  function takeGroup(): Waiting[] {
    let bytes = 0;
    const end = waiting.findIndex(({ batch }) => {
      bytes += recordBytes(batch);
      return bytes >= segmentBytes;
    });
    return waiting.splice(0, end < 0 ? waiting.length : end + 1);
  }

  async function write(group: readonly Waiting[]): Promise<void> {
    const records = Buffer.concat(group.map(({ batch }) => packRecord(batch.bytes)));
    const scans = group.reduce((sum, { batch }) => sum + countScans(batch.bytes), 0);
    await writer.write(records, scans);
    segments.added(group.length, writer.isOpen() ? records.length : 0);
  }

  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const group = takeGroup();
      writingSinceMs = performance.now();
      try {
        await write(group);
        for (const { resolve } of group) resolve();
        appended.resolve();
        appended = Promise.withResolvers();
      } catch (error) {
        segments.dropEmpty();
        retryAtMs = performance.now() + retryAfterFaultMs;
        // The others would hit the same fault.
        for (const { reject } of [...group, ...waiting.splice(0)]) reject(error);
      }
      writingSinceMs = null;
      waitingBytes = waiting.reduce((sum, { batch }) => sum + recordBytes(batch), 0);
    }
    isWriting = false;
  }

  return {
    append(batch) {
      const refusal = findRefusal(batch);
      if (refusal) return Promise.reject(refusal);
      waitingBytes += recordBytes(batch);
      return new Promise((resolve, reject) => {
        waiting.push({ batch, resolve, reject });
        // Those that arrive before it runs share its first write.
        if (!isWriting) writing = writing.then(flush);
        isWriting = true;
      });
    },
    appended: () => appended.promise,
    isAvailable,
    async close() {
      isClosed = true;
      await writing;
      // Its records are safe without the end marker, for which a full disk may have no room.
      await writer.seal().catch(() => undefined);
    },
  };

  function findRefusal(batch: EncodedBatch): ScanLogError | null {
    if (isClosed) return new ScanLogError('away', 'The scan log is closed');
    if (performance.now() < retryAtMs) return new ScanLogError('away', 'The disk has just failed');
    const bytes = waitingBytes + recordBytes(batch);
    if (segments.bytes() + bytes > maxBytes)
      return new ScanLogError('full', 'The scan log has reached SPOOL_MAX_MB');
    if (bytes > maxWaitingBytes) return new ScanLogError('away', 'The disk is not keeping up');
    return null;
  }

  function isAvailable(): boolean {
    const nowMs = performance.now();
    const isSilent = writingSinceMs !== null && nowMs - writingSinceMs > silenceMs;
    return !isClosed && !isSilent && nowMs >= retryAtMs;
  }
}

const recordBytes = ({ bytes }: EncodedBatch) => recordHeaderBytes + bytes.length;
