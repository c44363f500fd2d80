import pg from 'pg';
import type { Config } from '../../config/config.ts';
import { AppError } from '../../kernel/errors.ts';
import { withTimeout } from '../../kernel/running/with-timeout.ts';
import { createObservedPool, type PoolObserver } from './observed-pool.ts';

/** Runs statements on PostgreSQL: on the pool, or in a transaction on one of its connections. */
export type Database = {
  query<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
  /** A statement that may fail without aborting the transaction around it. */
  attempt<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
  /** Commits when `work` resolves, rolls back when it throws. Inside a transaction: a savepoint. */
  transaction<Result>(work: (tx: Database) => Promise<Result>): Promise<Result>;
  /**
   * Runs `work` once other connections can see what was written: at once outside a transaction; inside one after its commit
   * and before `transaction` resolves; never after a rollback.
   */
  afterCommit(work: () => Promise<void>): Promise<void>;
};

export type Postgres = Database & { close(): Promise<void> };

/**
 * SQL with a name: PostgreSQL parses and plans it once per connection. Without one, every time. With a time limit of its own, for a
 * transaction that gives PostgreSQL the same one (`limitStatements`): otherwise the driver stops waiting earlier.
 */
export type Statement = { readonly name: string; readonly text: string; readonly timeoutMs?: number };

export const sql = (name: string, text: string): Statement => ({ name, text });

/** SQL that is put together for one request: PostgreSQL plans it for its values, and keeps no plan. */
export const unprepared = (text: string, timeoutMs?: number): Statement => ({
  name: '',
  text,
  ...(timeoutMs === undefined ? {} : { timeoutMs }),
});

/** The time limit of the statements that follow in a transaction. */
export const limitStatements = (timeoutMs: number): Statement =>
  unprepared(`set local statement_timeout = ${timeoutMs}`);

// Counts fit a double with room to spare; as strings they would be concatenated instead of added.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export type PostgresConfig = Pick<
  Config,
  'databaseUrl' | 'databasePooler' | 'databasePoolSize' | 'databaseTimeoutMs'
> & {
  /** For opening a connection, which takes up to six round trips, or waiting for one. By default as long as a statement. */
  readonly connectTimeoutMs?: number;
};

const driverGraceMs = 1_000;

/** The driver's own pool, for a library that brings its own queries. */
export function createPool(
  config: PostgresConfig,
  onError: (error: Error) => void,
  {
    Client = pg.Client,
    observer,
  }: { readonly Client?: typeof pg.Client; readonly observer?: PoolObserver } = {},
): pg.Pool {
  const options: pg.PoolConfig = {
    Client,
    connectionString: config.databaseUrl,
    max: config.databasePoolSize,
    connectionTimeoutMillis: config.connectTimeoutMs ?? config.databaseTimeoutMs,
    // Later than the server's own limit: for a server that no longer answers at all.
    query_timeout: config.databaseTimeoutMs + driverGraceMs,
    application_name: 'signpost',
    keepAlive: true,
    // A pooler refuses them: other clients share its connections, and may have other limits.
    ...(hasPooler(config) ? {} : getTimeLimits(config)),
  };
  const pool = observer ? createObservedPool(options, observer) : new pg.Pool(options);
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', onError);
  return pool;
}

/** Closing is a courtesy to a server that answers; one that is silent is not waited for. */
const closeTimeoutMs = 250;

/** Says goodbye on every connection. Whoever used them has finished by now. */
export async function closePool(pool: pg.Pool): Promise<void> {
  await withTimeout(closeTimeoutMs, pool.end()).catch(() => undefined);
}

const hasPooler = ({ databasePooler }: Pick<Config, 'databasePooler'>) => databasePooler === 'transaction';

const getTimeLimits = ({ databaseTimeoutMs }: PostgresConfig) => ({
  statement_timeout: databaseTimeoutMs,
  // A process that stops in the middle of a transaction must not keep its locks.
  idle_in_transaction_session_timeout: 2 * databaseTimeoutMs,
});

export function createPostgres(
  config: PostgresConfig,
  onError: (error: Error) => void,
  observer?: PoolObserver,
): Postgres {
  const pool = createPool(config, onError, observer ? { observer } : {});
  const protocol = chooseProtocol(config);
  return {
    query: (statement, values) => runStatement(pool, protocol, statement, values),
    attempt: (statement, values) => runStatement(pool, protocol, statement, values),
    transaction: work => transact(pool, protocol, work),
    afterCommit: work => work(),
    close: () => closePool(pool),
  };
}

/** How statements and transactions are sent to PostgreSQL. */
type Protocol = { readonly prepares: boolean; readonly begin: string };

/**
 * Behind a pooler the next statement may reach another connection: nothing is prepared, and time limits are set per
 * transaction, in the message that begins it.
 */
function chooseProtocol(config: PostgresConfig): Protocol {
  if (!hasPooler(config)) return { prepares: true, begin: 'begin' };
  const limits = Object.entries(getTimeLimits(config)).map(([name, ms]) => `set local ${name} = ${ms}`);
  return { prepares: false, begin: ['begin', ...limits].join('; ') };
}

type Queryable = Pick<pg.Pool, 'query'>;

async function runStatement<Row extends object>(
  connection: Queryable,
  { prepares }: Protocol,
  { name, text, timeoutMs }: Statement,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  try {
    const named = prepares && name !== '' ? { name } : {};
    const limit = timeoutMs === undefined ? {} : { query_timeout: timeoutMs + driverGraceMs };
    const result = await connection.query<Row>({ ...named, ...limit, text, values: [...values] });
    return result.rows;
  } catch (error) {
    throw isPostgresOutage(error) ? databaseUnavailable(error) : error;
  }
}

type AfterCommit = (() => Promise<void>)[];

async function transact<Result>(
  pool: pg.Pool,
  protocol: Protocol,
  work: (tx: Database) => Promise<Result>,
): Promise<Result> {
  const afterCommit: AfterCommit = [];
  const result = await onOneClient(pool, async client => {
    await client.query(protocol.begin);
    const outcome = await work(onClient(client, protocol, 0, afterCommit));
    await client.query('commit');
    return outcome;
  });
  for (const next of afterCommit) await next();
  return result;
}

/** Takes a connection, rolls back when `work` throws, and returns the connection in a known state. */
async function onOneClient<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect().catch(error => {
    throw databaseUnavailable(error);
  });
  let broken: Error | undefined;
  // A connection that breaks between two statements reports it here; the next statement fails by itself.
  const markBroken = (error: Error) => {
    broken = error;
  };
  client.on('error', markBroken);
  try {
    return await work(client);
  } catch (error) {
    await client.query('rollback').catch(markBroken);
    throw isPostgresOutage(error) ? databaseUnavailable(error) : error;
  } finally {
    client.off('error', markBroken);
    // A connection that could not roll back is in an unknown state: the pool must not hand it out again.
    client.release(broken);
  }
}

function onClient(
  client: pg.PoolClient,
  protocol: Protocol,
  depth: number,
  afterCommit: AfterCommit,
): Database {
  const savepoint = `sp${depth}`;
  const nested: Database = {
    query: (statement, values) => runStatement(client, protocol, statement, values),
    attempt: (statement, values) => nested.transaction(tx => tx.query(statement, values)),
    async afterCommit(work) {
      afterCommit.push(work);
    },
    async transaction(work) {
      const before = afterCommit.length;
      await client.query(`savepoint ${savepoint}`);
      try {
        const result = await work(onClient(client, protocol, depth + 1, afterCommit));
        await client.query(`release savepoint ${savepoint}`);
        return result;
      } catch (error) {
        await client.query(`rollback to savepoint ${savepoint}`);
        afterCommit.length = before;
        throw error;
      }
    },
  };
  return nested;
}

/** The name of the unique index or constraint that refused a row, or null for any other error. */
export function violatedUniqueIndex(error: unknown): string | null {
  return error instanceof pg.DatabaseError && error.code === '23505' ? (error.constraint ?? null) : null;
}

/** Whether a row found no partition. A check that refuses a row has the same code, and a name. */
export const lacksPartition = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '23514' && error.constraint === undefined;

/** Whether a statement waited for a lock for longer than `lock_timeout`. */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '55P03';

export const databaseUnavailable = (cause: unknown) =>
  new AppError('unavailable', "The server can't reach its database. Try again in a moment.", {
    cause,
    retryAfterSeconds: 1,
  });

/** Whether PostgreSQL, rather than the statement, is the cause. */
export function isPostgresOutage(error: unknown): boolean {
  if (error instanceof AppError) return false;
  if (!(error instanceof pg.DatabaseError)) return error instanceof Error && isBrokenConnection(error);
  // 08: connection; 53: out of resources; 57: shut down or cancelled by a time limit; 25006: a read-only replica.
  return /^(08|53|57)/.test(error.code ?? '') || error.code === '25006';
}

/** The same for an error that may already be converted to `unavailable`. */
export const isUnavailable = (error: unknown): boolean =>
  (error instanceof AppError && error.code === 'unavailable') || isPostgresOutage(error);

/** A statement that takes longer than it may is cancelled with this code, by a PostgreSQL that answers. */
const cancelled = '57014';

/** Whether PostgreSQL could not be reached, rather than one statement took too long or another engine is away. */
export function isDatabaseAway(error: unknown): boolean {
  const cause = error instanceof AppError && error.code === 'unavailable' ? error.cause : null;
  return isPostgresOutage(cause) && !isOutOfTime(error);
}

/** Whether PostgreSQL ended a statement that took longer than it may. */
export const isOutOfTime = (error: unknown): boolean =>
  error instanceof AppError && error.cause instanceof pg.DatabaseError && error.cause.code === cancelled;

/** Whether nothing listens at all, or PostgreSQL is starting or stopping: then no other process can write either. */
export function isConnectionRefused(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return /^(ECONNREFUSED|ENOENT|57P03)$/.test(code);
}

/** Tells which errors prove that PostgreSQL is down. A pooler that refuses proves nothing: others may still write. */
export const connectionRefusalCheck = (
  config: Pick<Config, 'databasePooler'>,
): ((error: unknown) => boolean) => (hasPooler(config) ? () => false : isConnectionRefused);

function isBrokenConnection(error: Error & { code?: string }): boolean {
  return (
    /^(ECONN|EPIPE|ENOENT|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)/.test(error.code ?? '') ||
    /timeout|terminated|not queryable|Connection ended/i.test(error.message)
  );
}
