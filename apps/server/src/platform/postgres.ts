import pg from 'pg';
import type { Config } from '../config.ts';
import { AppError } from '../kernel/errors.ts';
import { type PoolWatch, watchPool } from './pool-watch.ts';

/** Asks questions of PostgreSQL: the pool, or a transaction on one of its connections. */
export type Database = {
  query<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
  /** A statement that may fail without spoiling the transaction that it is part of. */
  attempt<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
  /** Commits when `work` resolves, rolls back when it throws. Inside a transaction: a savepoint. */
  transaction<Result>(work: (tx: Database) => Promise<Result>): Promise<Result>;
  /**
   * Does something that must not be done before others can see what was written: at once outside a transaction,
   * inside one after its commit, before `transaction` resolves; never after a rollback.
   */
  afterCommit(work: () => Promise<void>): Promise<void>;
};

export type Postgres = Database & { close(): Promise<void> };

/** SQL with a name: PostgreSQL parses and plans it once a connection. */
export type Statement = { readonly name: string; readonly text: string };

export const sql = (name: string, text: string): Statement => ({ name, text });

// Counts and numbers fit a double with room to spare; as strings they would be added up as text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export type PostgresConfig = Pick<
  Config,
  'databaseUrl' | 'databasePooler' | 'databasePoolSize' | 'databaseTimeoutMs'
>;

/** Connections as the driver hands them out, for a library that brings its own queries. */
export function createPool(
  config: PostgresConfig,
  onError: (error: Error) => void,
  { Client = pg.Client, watch }: { readonly Client?: typeof pg.Client; readonly watch?: PoolWatch } = {},
): pg.Pool {
  const options: pg.PoolConfig = {
    Client,
    connectionString: config.databaseUrl,
    max: config.databasePoolSize,
    connectionTimeoutMillis: config.databaseTimeoutMs,
    // Behind the server's own limit: for a server that no longer answers at all.
    query_timeout: config.databaseTimeoutMs + 1000,
    application_name: 'signpost',
    keepAlive: true,
    // A pooler refuses them: others use its connections too, and may have other limits.
    ...(hasPooler(config) ? {} : limitsOf(config)),
  };
  const pool = watch ? watchPool(options, watch) : new pg.Pool(options);
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', onError);
  return pool;
}

const hasPooler = ({ databasePooler }: Pick<Config, 'databasePooler'>) => databasePooler === 'transaction';

const limitsOf = ({ databaseTimeoutMs }: PostgresConfig) => ({
  statement_timeout: databaseTimeoutMs,
  // A process that stops in the middle of a transaction must not keep its locks.
  idle_in_transaction_session_timeout: 2 * databaseTimeoutMs,
});

export function createPostgres(
  config: PostgresConfig,
  onError: (error: Error) => void,
  watch?: PoolWatch,
): Postgres {
  const pool = createPool(config, onError, watch ? { watch } : {});
  const way = wayOf(config);
  return {
    query: (statement, values) => ask(pool, way, statement, values),
    attempt: (statement, values) => ask(pool, way, statement, values),
    transaction: work => transact(pool, way, work),
    afterCommit: work => work(),
    close: () => pool.end(),
  };
}

/** How statements and transactions are put to PostgreSQL. */
type Way = { readonly prepares: boolean; readonly begin: string };

/**
 * Behind a pooler the next statement may come to another connection: nothing is prepared there, and limits are set for one
 * transaction, in the message that begins it.
 */
function wayOf(config: PostgresConfig): Way {
  if (!hasPooler(config)) return { prepares: true, begin: 'begin' };
  const limits = Object.entries(limitsOf(config)).map(([name, ms]) => `set local ${name} = ${ms}`);
  return { prepares: false, begin: ['begin', ...limits].join('; ') };
}

type Asker = Pick<pg.Pool, 'query'>;

async function ask<Row extends object>(
  on: Asker,
  { prepares }: Way,
  { name, text }: Statement,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  try {
    const result = await on.query<Row>({ ...(prepares ? { name } : {}), text, values: [...values] });
    return result.rows;
  } catch (error) {
    throw isAway(error) ? unavailable(error) : error;
  }
}

type AfterCommit = (() => Promise<void>)[];

async function transact<Result>(
  pool: pg.Pool,
  way: Way,
  work: (tx: Database) => Promise<Result>,
): Promise<Result> {
  const afterCommit: AfterCommit = [];
  const result = await onOneClient(pool, async client => {
    await client.query(way.begin);
    const inside = await work(onClient(client, way, 0, afterCommit));
    await client.query('commit');
    return inside;
  });
  for (const next of afterCommit) await next();
  return result;
}

/** Lends a connection, rolls back when the work throws, and gives the connection back in a known state. */
async function onOneClient<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect().catch(error => {
    throw unavailable(error);
  });
  let broken: Error | undefined;
  // A connection that breaks between two statements says so here; the next statement fails by itself.
  const noteBreak = (error: Error) => {
    broken = error;
  };
  client.on('error', noteBreak);
  try {
    return await work(client);
  } catch (error) {
    await client.query('rollback').catch(noteBreak);
    throw isAway(error) ? unavailable(error) : error;
  } finally {
    client.off('error', noteBreak);
    // A connection that could not roll back is in an unknown state: the pool must not hand it out again.
    client.release(broken);
  }
}

function onClient(client: pg.PoolClient, way: Way, depth: number, afterCommit: AfterCommit): Database {
  const savepoint = `sp${depth}`;
  const inside: Database = {
    query: (statement, values) => ask(client, way, statement, values),
    attempt: (statement, values) => inside.transaction(tx => tx.query(statement, values)),
    async afterCommit(work) {
      afterCommit.push(work);
    },
    async transaction(work) {
      const before = afterCommit.length;
      await client.query(`savepoint ${savepoint}`);
      try {
        const result = await work(onClient(client, way, depth + 1, afterCommit));
        await client.query(`release savepoint ${savepoint}`);
        return result;
      } catch (error) {
        await client.query(`rollback to savepoint ${savepoint}`);
        afterCommit.length = before;
        throw error;
      }
    },
  };
  return inside;
}

/** The name of the unique index or constraint that refused a row, or null for any other error. */
export function brokenUnique(error: unknown): string | null {
  return error instanceof pg.DatabaseError && error.code === '23505' ? (error.constraint ?? null) : null;
}

export const unavailable = (cause: unknown) =>
  new AppError('unavailable', 'The database cannot be reached at the moment. Try again shortly.', {
    cause,
    retryAfterSeconds: 1,
  });

/** Whether PostgreSQL, rather than the question, is at fault. */
export function isAway(error: unknown): boolean {
  if (error instanceof AppError) return false;
  if (!(error instanceof pg.DatabaseError)) return error instanceof Error && isConnectionFault(error);
  // 08: connection; 53: out of resources; 57: shut down or cancelled by time limit; 25006: a read-only replica.
  return /^(08|53|57)/.test(error.code ?? '') || error.code === '25006';
}

/** The same of an error that has passed through here. */
export const isUnavailable = (error: unknown): boolean =>
  (error instanceof AppError && error.code === 'unavailable') || isAway(error);

/** Whether nothing listens there at all, or it is starting or stopping: then nobody else can write either. */
export function isConnectionRefused(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return /^(ECONNREFUSED|ENOENT|57P03)$/.test(code);
}

/** Which errors of this way to PostgreSQL prove that it is down. A pooler that refuses proves nothing: others may still write. */
export const refusalCheckOf = (config: Pick<Config, 'databasePooler'>): ((error: unknown) => boolean) =>
  hasPooler(config) ? () => false : isConnectionRefused;

function isConnectionFault(error: Error & { code?: string }): boolean {
  return (
    /^(ECONN|EPIPE|ENOENT|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)/.test(error.code ?? '') ||
    /timeout|terminated|not queryable|Connection ended/i.test(error.message)
  );
}
