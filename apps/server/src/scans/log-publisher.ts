import { within } from '../kernel/within.ts';
import { storeIsFull } from '../platform/jetstream-faults.ts';
import { type Nats, type NatsConnection, traceHeaders } from '../platform/nats.ts';
import { ScanLogError } from './scan-log-error.ts';
import { streamOf, subjectOf } from './scan-streams.ts';

/** Publishes into a shard of the log; resolves when the log has acked. */
export type LogPublisher = (
  connection: NatsConnection,
  bytes: Uint8Array,
  timeoutMs: number,
  traceparent?: string,
) => Promise<void>;

type Settle = { readonly resolve: () => void; readonly reject: (error: Error) => void };

/**
 * Acks come to one inbox that stays subscribed, and each finds its append by the number at the end of its subject. The
 * client's own publish makes an error with a stack, headers and several promises for every append, which costs a
 * redirect more than all of enrichment.
 *
 * What is under way when the connection breaks fails at once instead of at its time limit.
 */
export function createLogPublisher(
  nats: Nats,
  shard: number,
  onAck: (position: number) => void = () => undefined,
): LogPublisher {
  const subject = subjectOf(shard);
  const stream = streamOf(shard);
  const waiting = new Map<string, Settle>();
  let inbox: { readonly of: NatsConnection; readonly prefix: string } | undefined;
  let count = 0;

  nats.onStatus(status => {
    if (status.kind !== 'disconnected') return;
    const error = new ScanLogError('away', 'The connection to NATS broke');
    for (const { reject } of waiting.values()) reject(error);
  });

  /** After a mere reconnect the client subscribes again by itself; only a new connection needs a new inbox. */
  function inboxOf(connection: NatsConnection): string {
    if (inbox?.of === connection) return inbox.prefix;
    const prefix = `_INBOX.scans.${crypto.randomUUID()}.`;
    connection.subscribe(`${prefix}*`, {
      callback(error, message) {
        const settle = waiting.get(message.subject.slice(prefix.length));
        if (!settle) return;
        const position = error ?? positionOf(message.data, stream);
        if (typeof position !== 'number') return settle.reject(position);
        onAck(position);
        settle.resolve();
      },
    });
    inbox = { of: connection, prefix };
    return prefix;
  }

  return async (connection, bytes, timeoutMs, traceparent) => {
    const number = String(++count);
    const acked = new Promise<void>((resolve, reject) => waiting.set(number, { resolve, reject }));
    try {
      const reply = inboxOf(connection) + number;
      if (traceparent === undefined) connection.publish(subject, bytes, { reply });
      else connection.publish(subject, bytes, { reply, headers: traceHeaders(traceparent) });
      await within(timeoutMs, acked);
    } finally {
      waiting.delete(number);
    }
  };
}

/** The position in our stream, or why there is none. An empty answer is NATS's word for a subject that nobody listens to. */
function positionOf(data: Uint8Array, stream: string): number | Error {
  if (data.length === 0) return new ScanLogError('away', 'No stream takes scans');
  const ack = JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.length).toString()) as Ack;
  if (ack.error) {
    const fault = storeIsFull(ack.error.err_code) ? 'full' : 'unconfirmed';
    return new ScanLogError(fault, `${ack.error.description} (${ack.error.err_code})`);
  }
  if (ack.stream !== stream) return new ScanLogError('unconfirmed', `Acked by ${ack.stream}`);
  return ack.seq ? ack.seq : new ScanLogError('unconfirmed', 'Acked without a position');
}

type Ack = {
  readonly stream?: string;
  readonly seq?: number;
  readonly error?: { readonly err_code?: number; readonly description?: string };
};
