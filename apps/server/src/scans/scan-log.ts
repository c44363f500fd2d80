import type { Nats } from '../platform/nats.ts';
import type { SealedBatch } from './batch.ts';
import type { LogEntry } from './log-entry.ts';
import { createLogMeter, type LogMeter } from './log-meter.ts';
import { createLogPublisher } from './log-publisher.ts';
import { type KnownLog, type ReaderEvent, readLog } from './log-reader.ts';
import { ScanLogError } from './scan-log-error.ts';
import { lastPosition, removeBefore, streamOf, whenStreamIsThere } from './scan-streams.ts';

/**
 * The scan log, by the three verbs that every replicated log has: append, read from a position, trim. Here it is NATS
 * JetStream, a stream a shard; a position is the sequence in the stream; it is trimmed by age (`StreamOptions`),
 * and by ingest where it grows too large.
 */
export type ScanLog = LogAppender &
  LogMeter & {
    /** Resolves when NATS is there and has a stream for the shard. */
    ready(shard: number, signal: AbortSignal): Promise<void>;
    /**
     * Entries in order from the one after `afterPosition`, and on, until the signal aborts. Throws `replaced` where the
     * log is not the one that is known, at the beginning and whenever it was away.
     */
    read(
      shard: number,
      afterPosition: number,
      signal: AbortSignal,
      known?: KnownLog,
    ): AsyncGenerator<LogEntry, void>;
    /** The position of the newest entry; 0 where there is none. Throws when NATS is away. */
    lastPosition(shard: number): Promise<number>;
    /** Removes every entry before the position, and says how many. */
    trim(shard: number, position: number): Promise<number>;
  };

export type LogAppender = {
  /** False while it is known that an append would fail. */
  available(): boolean;
  /**
   * Resolves when the log has acked. Rejects after `timeoutMs`, or at once when the connection breaks; the batch may then
   * be in the log or not. One that is sent again may lie there twice: who reads it tells by its id.
   */
  append(batch: SealedBatch, timeoutMs: number, options?: AppendOptions): Promise<void>;
};

export type AppendOptions = {
  readonly traceparent?: string;
  /** Appends past SCAN_LOG_MAX_MB, for what has no other place. */
  readonly evenIfFull?: boolean;
};

type ScanLogOptions = {
  readonly nats: Nats;
  /** The shard that this process appends to. */
  readonly shard?: number;
  /** Whether the shard has no room; then an append is refused without asking NATS. See `openBoundedLog`. */
  readonly isFull?: () => boolean;
  /** Called with the position of every append that was acked in time. */
  readonly onAck?: (position: number) => void;
  readonly onReaderEvent?: (event: ReaderEvent) => void;
  /** A log that is too short counts as another after so long: one election in NATS takes up to nine seconds. */
  readonly shortLogMs?: number;
};

export function createScanLog({
  nats,
  shard = 0,
  isFull = () => false,
  onAck,
  onReaderEvent = () => undefined,
  shortLogMs = 30_000,
}: ScanLogOptions): ScanLog {
  const publish = createLogPublisher(nats, shard, onAck);
  return {
    ...createLogMeter(() => nats.connection()),
    available: () => nats.connection() !== null,
    async append(batch, timeoutMs, { traceparent, evenIfFull = false } = {}) {
      const connection = nats.connection();
      if (!connection) throw new ScanLogError('away', 'NATS is not connected');
      if (!evenIfFull && isFull())
        throw new ScanLogError('full', `${streamOf(shard)} has reached SCAN_LOG_MAX_MB`);
      const most = connection.info?.max_payload ?? 1_048_576;
      if (batch.bytes.length > most) throw new ScanLogError('too_large', `A batch has at most ${most} bytes`);
      await publish(connection, batch.bytes, timeoutMs, traceparent);
    },
    ready: (of, signal) => whenStreamIsThere(nats, of, signal),
    read: (of, afterPosition, signal, known = {}) =>
      readLog({ nats, shard: of, afterPosition, known, signal, shortLogMs, onReaderEvent }),
    async lastPosition(of) {
      const connection = nats.connection();
      if (!connection) throw new ScanLogError('away', 'NATS is not connected');
      return lastPosition(connection, of);
    },
    async trim(of, position) {
      const connection = nats.connection();
      if (!connection) throw new ScanLogError('away', 'NATS is not connected');
      return removeBefore(connection, of, position);
    },
  };
}
