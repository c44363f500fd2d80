import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ConnectionOptions,
  connect,
  headers,
  type MsgHdrs,
  type NatsConnection,
} from '@nats-io/transport-node';
import { withTimeout } from '../../kernel/running/with-timeout.ts';

export type { NatsConnection };

/** The client of NATS: created at once, connected in the background, reconnected without limit. */
export type Nats = {
  /** The connection while it stands, otherwise null: nothing is queued while NATS is unavailable. */
  connection(): NatsConnection | null;
  /** Resolves once connected; rejects when the signal aborts or the client is closed. */
  whenConnected(signal: AbortSignal): Promise<NatsConnection>;
  /** Calls the listener on every change from now on. Returns the unsubscribe function. */
  onStatus(listener: (status: NatsStatus) => void): () => void;
  /** Lets pending work finish, for at most `timeoutMs`. */
  close(timeoutMs?: number): Promise<void>;
};

/**
 * `fresh` is true for a new connection object, which has none of the subscriptions of the one before; after a mere
 * reconnect they all still exist.
 */
export type NatsStatus =
  | { readonly kind: 'connected'; readonly connection: NatsConnection; readonly fresh: boolean }
  | { readonly kind: 'disconnected' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Headers with which the reader of a message continues its trace. */
export function traceHeaders(traceparent: string): MsgHdrs {
  const traced = headers();
  traced.set('traceparent', traceparent);
  return traced;
}

/** There will be no connection any more: stop waiting for one. */
export class NatsClosedError extends Error {}

const retryWaitMs = 200;
const staleGraceMs = 1000;

/** `urls`: one address, or several of one cluster separated by commas: `nats://user:password@host:4222`. */
export function createNats(urls: string, onStatus: (status: NatsStatus) => void = () => undefined): Nats {
  const options = connectionOptions(urls);
  const listeners = new Set([onStatus]);
  const closing = new AbortController();
  let current: NatsConnection | null = null;
  let latest: NatsConnection | null = null;

  const notify = (status: NatsStatus) => {
    for (const listener of listeners) listener(status);
  };
  const connected = (connection: NatsConnection, fresh: boolean) => {
    current = connection;
    notify({ kind: 'connected', connection, fresh });
  };
  const disconnected = () => {
    if (!current) return;
    current = null;
    notify({ kind: 'disconnected' });
  };

  async function keepConnected(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        const connection = await connect({ ...options });
        latest = connection;
        if (closing.signal.aborted) return await connection.close();
        // The client removed servers that were down at the first connect from its list; they may come back.
        connection.setServers([...options.servers]);
        connected(connection, true);
        await follow(connection);
      } catch (error) {
        notify({ kind: 'failed', error });
      }
      disconnected();
      await sleep(retryWaitMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  /** Resolves when the connection is closed for good. */
  async function follow(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') disconnected();
      else if (status.type === 'reconnect') connected(connection, false);
      else if (status.type === 'error') notify({ kind: 'failed', error: status.error });
      else if (status.type === 'staleConnection') {
        disconnected();
        // The client flushes before it closes, which takes minutes if the peer vanished silently.
        setTimeout(() => current ?? void connection.close(), staleGraceMs).unref();
      }
    }
  }

  void keepConnected();
  return {
    connection: () => current,
    whenConnected: signal =>
      nextConnection(listeners, () => current, AbortSignal.any([signal, closing.signal])),
    onStatus(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close(timeoutMs = 2000) {
      closing.abort(new NatsClosedError('The NATS client is closed'));
      if (current) await withTimeout(timeoutMs, current.drain()).catch(() => undefined);
      await latest?.close();
    },
  };
}

async function nextConnection(
  listeners: Set<(status: NatsStatus) => void>,
  current: () => NatsConnection | null,
  signal: AbortSignal,
): Promise<NatsConnection> {
  signal.throwIfAborted();
  const connection = current();
  if (connection) return connection;
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

/** The client itself ignores a user, a password or a token in the address. */
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
    // A wrong password may be corrected on the server; until then, keep trying.
    ignoreAuthErrorAbort: true,
    pingInterval: 2000,
    maxPingOut: 2,
    // A stack trace per request costs more than the request.
    noAsyncTraces: true,
  };
}
