import { AsyncLocalStorage } from 'node:async_hooks';
import { Resolver } from 'node:dns/promises';
import pg from 'pg';
import type { ClickHouse } from '../../apps/server/src/platform/clickhouse.ts';
import type { Shared } from '../../apps/server/src/roles/shared.ts';

/** What a call holds of PostgreSQL at this moment; those that it has asked for itself may be transactions. */
type Held = { connections: number; transactions: number };

const calls = new AsyncLocalStorage<Held>();

/**
 * Runs a call of the API so that it fails where it asks for a second connection while it holds one, or for anything but
 * PostgreSQL while it holds a transaction. Either is harmless alone and a deadlock in a crowd.
 */
export const onOneConnection = <Value>(call: () => Promise<Value>): Promise<Value> =>
  calls.run({ connections: 0, transactions: 0 }, call);

/** The same parts, with a check before everything that a call could wait for. */
export function watchConnections(shared: Shared, clickhouse: ClickHouse) {
  watchPools();
  watchNames();
  return {
    ...shared,
    redis: watched(shared.redis, 'Redis'),
    nats: watched(shared.nats, 'NATS'),
    clickhouse: watched(clickhouse, 'ClickHouse'),
  };
}

function refuseInTransaction(what: string): void {
  if ((calls.getStore()?.transactions ?? 0) > 0)
    throw new Error(`A call must not ask ${what} while it holds a transaction.`);
}

function watched<Part extends object>(part: Part, what: string): Part {
  return new Proxy(part, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        refuseInTransaction(what);
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

/** What was watched by an earlier test of the file is not watched twice. */
const marked = new WeakSet<object>();
const isWatched = (asked: object) => marked.has(asked);
function mark<Asked extends object>(asked: Asked): Asked {
  marked.add(asked);
  return asked;
}

type Client = { release(error?: Error | boolean): void };
type Connect = (callback?: (error: Error | undefined, client?: Client, release?: unknown) => void) => unknown;

/** Every pool, that of sign-in too: a call that waits for one while it holds a connection of another can wait for ever. */
function watchPools(): void {
  // biome-ignore lint/suspicious/noExplicitAny: the driver has two ways to hand out a connection under one name
  const pool = pg.Pool.prototype as any;
  const connect: Connect = pool.connect;
  if (isWatched(connect)) return;
  pool.connect = mark(function (this: pg.Pool, callback?: Parameters<Connect>[0]) {
    const held = calls.getStore();
    if (!held) return connect.call(this, callback);
    if (held.connections > 0)
      throw new Error('A call must not ask for a second connection while it holds one.');
    held.connections++;
    // The pool's own `query` asks with a callback: one statement, and the connection goes back.
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

/** Counts a connection as held until it is given back; one that was not to be had is held by nobody. */
function lend(held: Held, client: Client | undefined, transactions: number): Client | undefined {
  const giveBack = () => {
    held.connections--;
    held.transactions -= transactions;
  };
  if (!client) {
    giveBack();
    return undefined;
  }
  const { release } = client;
  client.release = error => {
    giveBack();
    release.call(client, error);
  };
  return client;
}
