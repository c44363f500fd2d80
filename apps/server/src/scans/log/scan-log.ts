import type { Nats } from '../../platform/nats/nats.ts';
import type { EncodedBatch } from './format/batch.ts';
import type { LogEntry } from './format/entry.ts';
import { createLogMeter, type LogMeter } from './meter.ts';
import { createLogPublisher } from './publisher.ts';
import { type KnownLog, type ReaderEvent, readLog } from './reader.ts';
import { ScanLogError } from './scan-log-error.ts';
import { lastPosition, removeBefore, toStreamName, whenStreamExists } from './streams.ts';

/**
 * The scan log, with the three operations of any replicated log: append, read from a position, trim. It is built on NATS
 * JetStream, with one stream per shard; a position is a sequence number. It is trimmed by age (`StreamOptions`), and by
 * ingest if it grows too large.
 */
export type ScanLog = LogMeter & {
  appender(shard: number): LogAppender;
  /** Resolves when NATS is connected and has a stream for the shard. */
  ready(shard: number, signal: AbortSignal): Promise<void>;
  /**
   * Entries in order after `afterPosition`, existing and new, until the signal aborts. Throws `replaced` if the log is
   * not the known one; this is checked at the start and after every interruption.
   */
  read(
    shard: number,
    afterPosition: number,
    signal: AbortSignal,
    known?: KnownLog,
  ): AsyncGenerator<LogEntry, void>;
  /** The position of the newest entry; 0 if there is none. Throws when NATS is not connected. */
  lastPosition(shard: number): Promise<number>;
  /** Removes every entry before the position, and returns how many. */
  trim(shard: number, position: number): Promise<number>;
  /** The position from which a log of this size is kept, for a log that removes whole segments. */
  keepWithin?(maxBytes: number): number;
};

/** Appends to one shard. */
export type LogAppender = {
  /**
   * On the disk of this machine, where the spool is too: what it does not take, the spool would not take either. An append
   * ignores `timeoutMs` and always ends with whether the batch is stored.
   */
  readonly isLocal?: boolean;
  /** False while an append is sure to fail. */
  available(): boolean;
  /**
   * Resolves when the log has acked. Rejects after `timeoutMs`, or at once when the connection breaks; the batch may or
   * may not be in the log then. A batch that is resent may be there twice: readers deduplicate by its id.
   */
  append(batch: EncodedBatch, timeoutMs: number, options?: AppendOptions): Promise<void>;
};

export type AppendOptions = {
  readonly traceparent?: string;
  /** Appends past SCAN_LOG_MAX_MB, for batches that the spool did not take either. The limit of a local log holds always. */
  readonly evenIfFull?: boolean;
};

type ScanLogOptions = {
  readonly nats: Nats;
  /** Whether a shard is full; an append is then refused without asking NATS. See `openBoundedLog`. */
  readonly isFull?: (shard: number) => boolean;
  /** Called with the position of every append that is acked in time. */
  readonly onAck?: (shard: number, position: number) => void;
  readonly onReaderEvent?: (event: ReaderEvent) => void;
  /** A log that is too short counts as replaced after this long: an election in NATS takes up to nine seconds. */
  readonly shortLogMs?: number;
};

export function createScanLog({
  nats,
  isFull = () => false,
  onAck,
  onReaderEvent = () => undefined,
  shortLogMs = 30_000,
}: ScanLogOptions): ScanLog {
  const publish = createLogPublisher(nats, onAck);
  return {
    ...createLogMeter(() => nats.connection()),
    appender: shard => ({
      available: () => nats.connection() !== null,
      async append(batch, timeoutMs, { traceparent, evenIfFull = false } = {}) {
        const connection = nats.connection();
        if (!connection) throw new ScanLogError('away', 'NATS is not connected');
        if (!evenIfFull && isFull(shard))
          throw new ScanLogError('full', `${toStreamName(shard)} has reached SCAN_LOG_MAX_MB`);
        const maxBytes = connection.info?.max_payload ?? 1_048_576;
        if (batch.bytes.length > maxBytes)
          throw new ScanLogError('too_large', `A batch has at most ${maxBytes} bytes`);
        return publish(connection, shard, batch.bytes, timeoutMs, traceparent);
      },
    }),
    ready: (shard, signal) => whenStreamExists(nats, shard, signal),
    read: (shard, afterPosition, signal, known = {}) =>
      readLog({ nats, shard, afterPosition, known, signal, shortLogMs, onReaderEvent }),
    async lastPosition(shard) {
      const connection = nats.connection();
      if (!connection) throw new ScanLogError('away', 'NATS is not connected');
      return lastPosition(connection, shard);
    },
    async trim(shard, position) {
      const connection = nats.connection();
      if (!connection) throw new ScanLogError('away', 'NATS is not connected');
      return removeBefore(connection, shard, position);
    },
  };
}
