import { createHash } from 'node:crypto';
import type { Caller } from '../kernel/caller.ts';
import { AppError } from '../kernel/errors.ts';
import type { Uuid } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres.ts';

/** An answer as it goes over the wire, and as it is kept. */
export type Answer = { readonly status: number; readonly body: string };

/** A POST that may be sent again: whose it is, under which key, and what tells it from another. */
export type Attempt = { readonly caller: Caller; readonly key: string; readonly fingerprint: Buffer };

/** What is done for an attempt, in two steps. */
export type Work<Ready> = {
  /** What waits for something outside the database, a name server or ClickHouse: before a transaction is open. */
  readonly prepare?: (() => Promise<Ready>) | undefined;
  readonly work: (tx: Database, ready: Ready) => Promise<Answer>;
  /** The answer to keep for a refusal, or null where it is not kept. */
  readonly refuse: (error: AppError) => Answer | null;
};

export type Idempotency = ReturnType<typeof createIdempotency>;

type Given = Answer & { readonly replayed: boolean };

export function createIdempotency(db: Database) {
  /** Attempts of this process that are being prepared: they hold no lock in the database yet. */
  const preparing = new Set<string>();

  /** The answer that was given before, if there was one. */
  async function find(on: Database, { caller, key, fingerprint }: Attempt): Promise<Given | null> {
    const [kept] = await on.query<KeptRow>(findKept, [caller.accountId, caller.mode, key]);
    if (kept && !kept.fingerprint.equals(fingerprint)) throw reused();
    return kept ? { status: kept.status, body: kept.body, replayed: true } : null;
  }

  /** `ready` gives what was prepared, or throws what went wrong with it: a refusal then is kept like any other. */
  const inTransaction = <Ready>(attempt: Attempt, { work, refuse }: Work<Ready>, ready: () => Ready) =>
    db.transaction(async (tx): Promise<Given> => {
      const [lock] = await tx.query<{ locked: boolean }>(tryLock, [lockNumber(attempt)]);
      if (!lock?.locked) throw inProgress();
      const kept = await find(tx, attempt);
      if (kept) return kept;
      const answer = await tx
        .transaction(async inner => work(inner, ready()))
        .catch((error: unknown) => {
          const refusal = error instanceof AppError ? refuse(error) : null;
          if (!refusal) throw error;
          return refusal;
        });
      const { caller, key, fingerprint } = attempt;
      const owner = [caller.accountId, caller.mode, key];
      await tx.query(keep, [...owner, fingerprint, answer.status, answer.body]);
      return { ...answer, replayed: false };
    });

  async function prepareFirst<Ready>(
    attempt: Attempt,
    work: Work<Ready>,
    prepare: () => Promise<Ready>,
  ): Promise<Given> {
    // A call that is repeated needs nothing prepared, and must not fail because that fails now.
    const kept = await find(db, attempt);
    if (kept) return kept;
    const [prepared] = await Promise.allSettled([prepare()]);
    return await inTransaction(attempt, work, () => {
      if (prepared.status === 'rejected') throw prepared.reason;
      return prepared.value;
    });
  }

  return {
    /**
     * Does the work once a key. The answer is written in the transaction that does the work, so whatever dies
     * in between, either both are there or neither. Refusals are kept like answers where `refuse` gives one.
     */
    async once<Ready>(attempt: Attempt, work: Work<Ready>): Promise<Given> {
      if (!work.prepare) return await inTransaction(attempt, work, () => undefined as Ready);
      const name = lockNumber(attempt);
      if (preparing.has(name)) throw inProgress();
      preparing.add(name);
      try {
        return await prepareFirst(attempt, work, work.prepare);
      } finally {
        preparing.delete(name);
      }
    },

    /** Removes keys past their day, a bounded number at a time; returns how many. */
    async removeExpired(limit: number): Promise<number> {
      return (await db.query(removeExpired, [limit])).length;
    },
  };
}

/**
 * Whether a refusal by an operation that has begun is kept. Too many requests and faults of ours say nothing about the
 * request: the same one may succeed a minute later. What is refused before an operation begins (400 by its schema, 401,
 * 413, 415) never gets here.
 */
export const isKept = (status: number): boolean => status < 500 && status !== 429;

/** The key in a header, quoted or bare. */
export function parseIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const text = String(header).replace(/^"(.*)"$/, '$1');
  if (!/^[\x20-\x7e]{1,255}$/.test(text)) {
    throw new AppError('invalid_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters.', {
      param: 'Idempotency-Key',
    });
  }
  return text;
}

/** Tells one request from another: the operation and the body, whatever the order of its fields. */
export function fingerprintOf(operationId: string, body: unknown): Buffer {
  return createHash('sha256')
    .update(operationId)
    .update('\n')
    .update(JSON.stringify(sorted(body)) ?? '')
    .digest();
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => [name, sorted(inner)]);
}

function lockNumber({ caller, key }: Attempt): string {
  const digest = createHash('sha256').update(`${caller.accountId}:${caller.mode}:${key}`).digest();
  return digest.readBigInt64BE(0).toString();
}

const inProgress = () =>
  new AppError(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still running. Try again in a second.',
    {
      retryAfterSeconds: 1,
    },
  );

const reused = () =>
  new AppError(
    'idempotency_key_reused',
    'This Idempotency-Key was used with another body. Use a new key for a new request.',
    { param: 'Idempotency-Key' },
  );

/** For an account that is closed. */
export async function forgetAnswers(db: Database, accountId: Uuid): Promise<void> {
  await db.query(forgetKept, [accountId]);
}

type KeptRow = { fingerprint: Buffer; status: number; body: string };

/** By PostgreSQL's clock alone: a process with a wrong one must neither forget an answer nor do the work again. */
const kept = `interval '24 hours'`;

const tryLock = sql('idempotency-lock', 'select pg_try_advisory_xact_lock($1::bigint) as locked');

const findKept = sql(
  'idempotency-find',
  `select fingerprint, status, body from idempotency_keys
    where account_id = $1 and mode = $2 and key = $3 and created_at > now() - ${kept}`,
);

const keep = sql(
  'idempotency-keep',
  `insert into idempotency_keys (account_id, mode, key, fingerprint, status, body, created_at)
   values ($1, $2, $3, $4, $5, $6, now())
   on conflict (account_id, mode, key) do update
      set fingerprint = excluded.fingerprint, status = excluded.status,
          body = excluded.body, created_at = excluded.created_at`,
);

const removeExpired = sql(
  'idempotency-remove-expired',
  `delete from idempotency_keys
    where (account_id, mode, key) in (
      select account_id, mode, key from idempotency_keys where created_at < now() - ${kept} order by created_at limit $1
    ) returning 1`,
);

const forgetKept = sql('idempotency-forget', 'delete from idempotency_keys where account_id = $1');
