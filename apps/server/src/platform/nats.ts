import { setTimeout as pause } from 'node:timers/promises';
import {
  type ConnectionOptions,
  connect,
  headers,
  type MsgHdrs,
  type NatsConnection,
} from '@nats-io/transport-node';
import { within } from '../kernel/within.ts';

export type { NatsConnection };

/** The way to NATS: made at once, connected in the background, mended for ever. */
export type Nats = {
  /** The connection while it stands, otherwise null: nothing is queued for a NATS that is away. */
  connection(): NatsConnection | null;
  /** Resolves with a standing connection; rejects when the signal aborts or the client is closed. */
  whenConnected(signal: AbortSignal): Promise<NatsConnection>;
  /** Tells of every change from now on. Returns what ends the telling. */
  onStatus(listener: (status: NatsStatus) => void): () => void;
  /** Lets what is under way finish, for as long as is given. */
  close(timeoutMs?: number): Promise<void>;
};

/**
 * `fresh` is true for a new connection object, which knows none of the subscriptions of the one before;
 * after a mere reconnect they are all there again.
 */
export type NatsStatus =
  | { readonly kind: 'connected'; readonly connection: NatsConnection; readonly fresh: boolean }
  | { readonly kind: 'disconnected' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** What a message carries so that its reader goes on with the trace. */
export function traceHeaders(traceparent: string): MsgHdrs {
  const carried = headers();
  carried.set('traceparent', traceparent);
  return carried;
}

/** Nothing will be connected any more: who waits for a connection should stop. */
export class NatsClosedError extends Error {}

const retryWaitMs = 200;
const staleGraceMs = 1000;

/** `urls`: one address or several of one cluster, with commas between: `nats://user:password@host:4222`. */
export function createNats(urls: string, onStatus: (status: NatsStatus) => void = () => undefined): Nats {
  const options = connectionOptions(urls);
  const listeners = new Set([onStatus]);
  const closing = new AbortController();
  let standing: NatsConnection | null = null;
  let latest: NatsConnection | null = null;

  const tell = (status: NatsStatus) => {
    for (const listener of listeners) listener(status);
  };
  const gain = (connection: NatsConnection, fresh: boolean) => {
    standing = connection;
    tell({ kind: 'connected', connection, fresh });
  };
  const lose = () => {
    if (!standing) return;
    standing = null;
    tell({ kind: 'disconnected' });
  };

  async function keepConnected(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        const connection = await connect({ ...options });
        latest = connection;
        if (closing.signal.aborted) return await connection.close();
        // A server that was away at the first connect was struck off the client's list; it may come back.
        connection.setServers([...options.servers]);
        gain(connection, true);
        await follow(connection);
      } catch (error) {
        tell({ kind: 'failed', error });
      }
      lose();
      await pause(retryWaitMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  /** Ends when the connection is closed for good. */
  async function follow(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') lose();
      else if (status.type === 'reconnect') gain(connection, false);
      else if (status.type === 'error') tell({ kind: 'failed', error: status.error });
      else if (status.type === 'staleConnection') {
        lose();
        // The client flushes before it lets go, which a peer that is gone without a word holds up for minutes.
        setTimeout(() => standing ?? void connection.close(), staleGraceMs).unref();
      }
    }
  }

  void keepConnected();
  return {
    connection: () => standing,
    whenConnected: signal =>
      nextConnection(listeners, () => standing, AbortSignal.any([signal, closing.signal])),
    onStatus(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close(timeoutMs = 2000) {
      closing.abort(new NatsClosedError('The NATS client is closed'));
      if (standing) await within(timeoutMs, standing.drain()).catch(() => undefined);
      await latest?.close();
    },
  };
}

async function nextConnection(
  listeners: Set<(status: NatsStatus) => void>,
  standing: () => NatsConnection | null,
  signal: AbortSignal,
): Promise<NatsConnection> {
  signal.throwIfAborted();
  const now = standing();
  if (now) return now;
  const { promise, resolve, reject } = Promise.withResolvers<NatsConnection>();
  const listener = (status: NatsStatus) => {
    if (status.kind === 'connected') resolve(status.connection);
  };
  const giveUp = () => reject(signal.reason);
  listeners.add(listener);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await promise;
  } finally {
    listeners.delete(listener);
    signal.removeEventListener('abort', giveUp);
  }
}

/** The client itself overlooks a user, a password or a token in the address. */
export function connectionOptions(urls: string): ConnectionOptions & { readonly servers: string[] } {
  const addresses = urls.split(',').map(url => new URL(url.trim()));
  const [first] = addresses;
  const user = decodeURIComponent(first?.username ?? '');
  const pass = decodeURIComponent(first?.password ?? '');
  return {
    servers: addresses.map(({ hostname, port }) => `${hostname}:${port || 4222}`),
    ...(pass ? { user, pass } : user ? { token: user } : {}),
    ...(first?.protocol === 'tls:' ? { tls: {} } : {}),
    name: 'signpost',
    timeout: 2000,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 100,
    reconnectJitter: 50,
    reconnectJitterTLS: 200,
    // A wrong password may be put right on the server; until then, go on trying.
    ignoreAuthErrorAbort: true,
    pingInterval: 2000,
    maxPingOut: 2,
    // A stack trace a request costs more than the request.
    noAsyncTraces: true,
  };
}
