import { TimeoutError } from '../../kernel/running/with-timeout.ts';
import { isStoreFull } from '../../platform/nats/jetstream.ts';
import { type Nats, type NatsConnection, traceHeaders } from '../../platform/nats/nats.ts';
import { ScanLogError } from './scan-log-error.ts';
import { toStreamName, toSubject } from './streams.ts';

/** Publishes to a shard of the log; resolves when that has acked. */
export type LogPublisher = (
  connection: NatsConnection,
  shard: number,
  bytes: Uint8Array,
  timeoutMs: number,
  traceparent?: string,
) => Promise<void>;

type PendingAck = {
  readonly shard: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  readonly sentMs: number;
  readonly timeoutMs: number;
};

/** One timer checks all appends: a timer for each costs as much as the append. */
const checkEveryMs = 5;

/**
 * Acks arrive in one inbox that stays subscribed; the number at the end of the subject identifies the append. The client's
 * own publish allocates an error with a stack, headers and several promises per append, which costs a redirect more than
 * all of enrichment.
 *
 * Appends that are in flight when the connection breaks fail at once instead of timing out.
 */
export function createLogPublisher(
  nats: Nats,
  onAck: (shard: number, position: number) => void = () => undefined,
): LogPublisher {
  const pending = new Map<string, PendingAck>();
  let inbox: { readonly connection: NatsConnection; readonly prefix: string } | undefined;
  let count = 0;
  let checking: NodeJS.Timeout | undefined;

  nats.onStatus(status => {
    if (status.kind !== 'disconnected') return;
    const error = new ScanLogError('away', 'The connection to NATS broke');
    for (const number of [...pending.keys()]) take(number)?.reject(error);
  });

  function take(number: string): PendingAck | undefined {
    const ack = pending.get(number);
    pending.delete(number);
    return ack;
  }

  function rejectOverdue(): void {
    const nowMs = performance.now();
    // Where this process itself was held up, an ack that has arrived meanwhile is still taken.
    for (const [number, { sentMs, timeoutMs }] of pending)
      if (nowMs - sentMs >= timeoutMs) setImmediate(() => take(number)?.reject(new TimeoutError(timeoutMs)));
    if (pending.size > 0) return;
    clearInterval(checking);
    checking = undefined;
  }

  /** The client resubscribes by itself after a reconnect; only a new connection object needs a new inbox. */
  function openInbox(connection: NatsConnection): string {
    if (inbox?.connection === connection) return inbox.prefix;
    const prefix = `_INBOX.scans.${crypto.randomUUID()}.`;
    connection.subscribe(`${prefix}*`, {
      callback(error, message) {
        const ack = take(message.subject.slice(prefix.length));
        if (!ack) return;
        const position = error ?? readAck(message.data, toStreamName(ack.shard));
        if (typeof position !== 'number') return ack.reject(position);
        onAck(ack.shard, position);
        ack.resolve();
      },
    });
    inbox = { connection, prefix };
    return prefix;
  }

  return (connection, shard, bytes, timeoutMs, traceparent) =>
    new Promise((resolve, reject) => {
      const number = String(++count);
      const subject = toSubject(shard);
      const reply = openInbox(connection) + number;
      if (traceparent === undefined) connection.publish(subject, bytes, { reply });
      else connection.publish(subject, bytes, { reply, headers: traceHeaders(traceparent) });
      pending.set(number, { shard, resolve, reject, sentMs: performance.now(), timeoutMs });
      checking ??= setInterval(rejectOverdue, checkEveryMs);
    });
}

/** The position in our stream, or why there is none. NATS sends an empty reply if no stream has the subject. */
function readAck(data: Uint8Array, stream: string): number | Error {
  if (data.length === 0) return new ScanLogError('away', 'No stream takes scans');
  const ack = JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.length).toString()) as Ack;
  if (ack.error) {
    const fault = isStoreFull(ack.error.err_code) ? 'full' : 'unconfirmed';
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
