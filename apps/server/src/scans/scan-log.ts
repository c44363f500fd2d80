import { type JetStreamClient, jetstream } from '@nats-io/jetstream';
import type { Uuid } from '../kernel/ids.ts';
import { within } from '../kernel/within.ts';
import type { Nats, NatsConnection } from '../platform/nats.ts';
import type { SealedBatch } from './batch.ts';
import type { LogEntry } from './log-entry.ts';
import { type ReaderEvent, readLog } from './log-reader.ts';
import { ScanLogError } from './scan-log-error.ts';
import { lastPosition, streamOf, subjectOf } from './scan-streams.ts';

/**
 * The scan log, by the three verbs that every replicated log has: append, read from a position, trim. Here it is NATS
 * JetStream, a stream a shard; a position is the sequence in the stream; it is trimmed by age (`StreamOptions`).
 */
export type ScanLog = LogAppender & {
  /** Entries in order from the one after `afterPosition`, and on, until the signal aborts. */
  read(shard: number, afterPosition: number, signal: AbortSignal): AsyncGenerator<LogEntry, void>;
  /** The position of the newest entry; 0 where there is none. Throws when NATS is away. */
  lastPosition(shard: number): Promise<number>;
};

export type LogAppender = {
  /** False while it is known that an append would fail. */
  available(): boolean;
  /** Resolves when the log has acked. Rejects after `timeoutMs`, or at once when the connection breaks; the batch may then be in the log or not. */
  append(batch: SealedBatch, timeoutMs: number): Promise<void>;
};

type ScanLogOptions = {
  readonly nats: Nats;
  /** The shard that this process appends to. */
  readonly shard?: number;
  readonly onReaderEvent?: (event: ReaderEvent) => void;
};

export function createScanLog({ nats, shard = 0, onReaderEvent = () => undefined }: ScanLogOptions): ScanLog {
  const publish = createPublisher(nats, shard);
  return {
    available: () => nats.connection() !== null,
    async append(batch, timeoutMs) {
      const connection = nats.connection();
      if (!connection) throw new ScanLogError('away', 'NATS is not connected');
      const most = (connection.info?.max_payload ?? 1_048_576) - headerAllowance;
      if (batch.bytes.length > most) throw new ScanLogError('too_large', `A batch has at most ${most} bytes`);
      if ((await publish(connection, batch.bytes, batch.id, timeoutMs)) > 0) return;
      // Before 2.11.0 a cluster may take a batch for a duplicate of one that it gave up on at a change of leader
      // (nats-server pull request 6415): sequence 0. It is in no log; without the id it is taken. Twice in the log does no harm.
      const position = await publish(connection, batch.bytes, undefined, timeoutMs);
      if (position < 1) throw new ScanLogError('unconfirmed', 'The log acked without a position');
    },
    read: (of, afterPosition, signal) => readLog({ nats, shard: of, afterPosition, signal, onReaderEvent }),
    async lastPosition(of) {
      const connection = nats.connection();
      if (!connection) throw new ScanLogError('away', 'NATS is not connected');
      return lastPosition(connection, of);
    },
  };
}

/** Room for the headers of a message. */
const headerAllowance = 1024;
/** The client's own limit lies behind ours, which also looks whether an answer has come in while this process was held up. */
const clientGraceMs = 1000;

type Publish = (c: NatsConnection, bytes: Uint8Array, id: Uuid | undefined, ms: number) => Promise<number>;

/** Publishes and gives the position. What is under way when the connection breaks fails at once instead of at its time limit. */
function createPublisher(nats: Nats, shard: number): Publish {
  const waiting = new Set<(error: Error) => void>();
  nats.onStatus(status => {
    if (status.kind !== 'disconnected') return;
    const error = new ScanLogError('away', 'The connection to NATS broke');
    for (const reject of waiting) reject(error);
  });
  let client: { readonly of: NatsConnection; readonly js: JetStreamClient } | undefined;
  return async (connection, bytes, id, timeoutMs) => {
    if (client?.of !== connection) client = { of: connection, js: jetstream(connection) };
    const options = { timeout: timeoutMs + clientGraceMs, ...(id ? { msgID: id } : {}) };
    const published = client.js.publish(subjectOf(shard), bytes, options);
    const broken = Promise.withResolvers<never>();
    waiting.add(broken.reject);
    try {
      const ack = await within(timeoutMs, Promise.race([published, broken.promise]));
      if (ack.stream !== streamOf(shard)) throw new ScanLogError('unconfirmed', `Acked by ${ack.stream}`);
      return ack.seq;
    } finally {
      waiting.delete(broken.reject);
    }
  };
}
