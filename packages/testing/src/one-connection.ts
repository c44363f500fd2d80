import { AsyncLocalStorage } from 'node:async_hooks';
import { Resolver } from 'node:dns/promises';
import pg from 'pg';
import { openSharedEngines } from '../../../apps/server/src/roles/engines/engines-shared.ts';
import type { ScanStore } from '../../../apps/server/src/roles/scan-store.ts';
import type { SharedWithOthers } from '../../../apps/server/src/roles/shared.ts';

/** The connections and transactions that a call holds at the moment, and the engines that it has asked. */
type Held = { connections: number; transactions: number; readonly asked: string[] };

const calls = new AsyncLocalStorage<Held>();

/**
 * Runs an API call that fails if it requests a second connection while it holds one, or calls anything but PostgreSQL while
 * it holds a transaction. Either is harmless for a single call and a deadlock under load.
 */
export const onOneConnection = <Value>(call: () => Promise<Value>): Promise<Value> =>
  calls.run({ connections: 0, transactions: 0, asked: calls.getStore()?.asked ?? [] }, call);

/** The engines that a call of the API asks, once for each time. What background jobs ask meanwhile does not count. */
export async function enginesAsked(call: () => Promise<unknown>): Promise<readonly string[]> {
  const asked: string[] = [];
  await calls.run({ connections: 0, transactions: 0, asked }, call);
  return asked;
}

/** The same dependencies, with a check before everything that a call could wait for. */
export function watchConnections(shared: SharedWithOthers, store: ScanStore) {
  watchPools();
  watchNames();
  const redis = watched(shared.redis, 'Redis');
  const busNats = watched(shared.busNats, 'NATS');
  const engines = openSharedEngines({ ...shared, redis, busNats });
  return { ...shared, redis, busNats, engines, store: watchedStore(store) };
}

function refuseInTransaction(what: string): void {
  if ((calls.getStore()?.transactions ?? 0) > 0)
    throw new Error(`A call must not call ${what} while it holds a transaction.`);
}

/** Its queries have connections of their own, and wait for nothing else while they hold one. */
const watchedStore = (store: ScanStore): ScanStore => ({
  clickhouse: store.clickhouse && watched(store.clickhouse, 'ClickHouse'),
  openRows: store.openRows,
  openMonths: store.openMonths,
  openQueries() {
    const queries = watched(store.openQueries(), 'the store of scans');
    return new Proxy(queries, {
      get: (target, name) => {
        const query = Reflect.get(target, name);
        return typeof query === 'function' ? (...args: unknown[]) => calls.exit(query, ...args) : query;
      },
    });
  },
});

function watched<Part extends object>(part: Part, what: string): Part {
  return new Proxy(part, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        refuseInTransaction(what);
        calls.getStore()?.asked.push(what);
        return value.apply(target, args);
      };
    },
  });
}

function watchNames(): void {
  for (const name of ['resolve4', 'resolve6'] as const) {
    const ask = Resolver.prototype[name] as (host: string) => Promise<string[]>;
    if (isWatched(ask)) continue;
    Resolver.prototype[name] = mark(function (this: Resolver, host: string) {
      refuseInTransaction('a name server');
      return ask.call(this, host);
    }) as never;
  }
}

/** Functions that an earlier test of the file has wrapped are not wrapped twice. */
const marked = new WeakSet<object>();
const isWatched = (fn: object) => marked.has(fn);
function mark<Fn extends object>(fn: Fn): Fn {
  marked.add(fn);
  return fn;
}

type Client = { release(error?: Error | boolean): void };
type Connect = (callback?: (error: Error | undefined, client?: Client, release?: unknown) => void) => unknown;

/** Wraps every pool, also that of sign-in: a call that waits for one pool while it holds a connection of another may deadlock. */
function watchPools(): void {
  // biome-ignore lint/suspicious/noExplicitAny: the driver has two ways to hand out a connection under one name
  const pool = pg.Pool.prototype as any;
  const connect: Connect = pool.connect;
  if (isWatched(connect)) return;
  pool.connect = mark(function (this: pg.Pool, callback?: Parameters<Connect>[0]) {
    const held = calls.getStore();
    if (!held) return connect.call(this, callback);
    if (held.connections > 0)
      throw new Error('A call must not request a second connection while it holds one.');
    held.connections++;
    held.asked.push('PostgreSQL');
    // The pool's own `query` passes a callback: one statement, then the connection is released.
    if (callback) {
      return connect.call(this, (error, client, release) => {
        lend(held, client, 0);
        callback(error, client, release);
      });
    }
    held.transactions++;
    return (connect.call(this) as Promise<Client>).then(
      client => lend(held, client, 1),
      error => {
        lend(held, undefined, 1);
        throw error;
      },
    );
  });
}

/** Counts a connection as held until it is released. A failed connect holds nothing. */
function lend(held: Held, client: Client | undefined, transactions: number): Client | undefined {
  const onRelease = () => {
    held.connections--;
    held.transactions -= transactions;
  };
  if (!client) {
    onRelease();
    return undefined;
  }
  const { release } = client;
  client.release = error => {
    onRelease();
    release.call(client, error);
  };
  return client;
}
