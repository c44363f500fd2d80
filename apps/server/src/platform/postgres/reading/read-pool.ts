import type pg from 'pg';
import { AppError } from '../../../kernel/errors.ts';
import { ownPools } from '../pool-sizes.ts';
import { closePool, createPool, isPostgresOutage, type PostgresConfig, type Statement } from '../postgres.ts';

/** Queries that may take long, on connections of their own: they take none from anything else. */
export type ReadPool = {
  /** It ends in PostgreSQL too when its time is over or its caller leaves. */
  query<Row extends object>(
    statement: Statement,
    values: readonly unknown[],
    limits: ReadLimits,
  ): Promise<Row[]>;
  close(): Promise<void>;
};

type ReadLimits = {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** Called when PostgreSQL has stopped working on it. */
  readonly onSettled?: () => void;
};

const defaultTimeoutMs = 10_000;
/** For a server that no longer answers at all, which its own time limit does not end. */
const graceMs = 1_000;

export function createReadPool(
  config: PostgresConfig,
  onError: (error: Error) => void,
  observer?: Parameters<typeof createPool>[2],
): ReadPool {
  const pool = createPool(config, onError, observer);
  const cancelling = createPool({ ...config, databasePoolSize: ownPools.cancelling }, onError);
  const cancel = async (pid: number) => {
    await cancelling.query('select pg_cancel_backend($1)', [pid]);
  };
  return {
    async query<Row extends object>(
      statement: Statement,
      values: readonly unknown[],
      { timeoutMs = defaultTimeoutMs, signal, onSettled }: ReadLimits,
    ) {
      const timeout = AbortSignal.timeout(timeoutMs);
      const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
      const result = runOn<Row>(pool, cancel, { statement, values, timeoutMs, signal: either });
      result.catch(() => undefined).finally(onSettled);
      try {
        return await Promise.race([result, rejectOnAbort(either)]);
      } catch (error) {
        signal?.throwIfAborted();
        if (timeout.aborted || isCancelled(error)) throw tookTooLong(error);
        throw isPostgresOutage(error) ? unavailable(error) : error;
      }
    },
    async close() {
      await Promise.all([closePool(pool), closePool(cancelling)]);
    },
  };
}

type Query = {
  readonly statement: Statement;
  readonly values: readonly unknown[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
};

async function runOn<Row extends object>(
  pool: pg.Pool,
  cancel: (pid: number) => Promise<void>,
  { statement: { text }, values, timeoutMs, signal }: Query,
): Promise<Row[]> {
  signal.throwIfAborted();
  const client = await pool.connect();
  let cancelled: Promise<void> | undefined;
  let broken: Error | undefined;
  const markBroken = (error: Error) => {
    broken = error;
  };
  client.on('error', markBroken);
  const limit = { query_timeout: timeoutMs + graceMs };
  try {
    signal.throwIfAborted();
    const begun = await client.query({ ...limit, text: begin(timeoutMs) });
    const { pid } = (begun as unknown as readonly pg.QueryResult<{ pid: number }>[])[4]!.rows[0]!;
    const onAbort = () => {
      cancelled = cancel(pid).catch(markBroken);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      signal.throwIfAborted();
      const { rows } = await client.query<Row>({ ...limit, text, values: [...values] });
      return rows;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  } finally {
    // A cancellation that comes late must not meet the query of another caller.
    await cancelled;
    await client.query({ ...limit, text: 'rollback' }).catch(markBroken);
    client.off('error', markBroken);
    client.release(broken);
  }
}

/**
 * One message. Behind a pooler the number is that of the connection which the transaction keeps. Distinct visitors are
 * counted by sorting them: with little memory on disk.
 */
const begin = (timeoutMs: number) =>
  `begin read only; set local statement_timeout = ${Math.ceil(timeoutMs)}; set local jit = off; set local work_mem = '32MB'; select pg_backend_pid() as pid`;

const rejectOnAbort = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

const isCancelled = (error: unknown) => (error as { code?: unknown } | null)?.code === '57014';

const tookTooLong = (cause: unknown) =>
  new AppError('timeout', 'The answer took too long to work out. Ask for a shorter period, or try again.', {
    cause,
  });

const unavailable = (cause: unknown) =>
  new AppError('unavailable', "Analytics can't be reached right now. Try again in a moment.", {
    cause,
    retryAfterSeconds: 1,
  });
