import { createHash } from 'node:crypto';
import { AppError } from '../../kernel/errors.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import type { Attempt, Idempotency, IdempotentWork, Replay } from '../answering.ts';

/** Stores the first response to a POST under its Idempotency-Key, and answers repetitions with it. */
export function createIdempotency(db: Database) {
  /** Attempts of this process that are being prepared: they hold no lock in the database yet. */
  const preparing = new Set<string>();

  /** The response that was given before, if there was one. */
  async function find(on: Database, { caller, key, fingerprint }: Attempt): Promise<Replay | null> {
    const [stored] = await on.query<StoredRow>(findResponse, [caller.accountId, caller.mode, key]);
    if (stored && !stored.fingerprint.equals(fingerprint)) throw reused();
    return stored ? { status: stored.status, body: stored.body, replayed: true } : null;
  }

  /** `prepared` returns what was prepared, or throws why that failed: such a refusal is stored like any other. */
  const inTransaction = <Prepared>(
    attempt: Attempt,
    { run, refuse }: IdempotentWork<Prepared>,
    prepared: () => Prepared,
  ) =>
    db.transaction(async (tx): Promise<Replay> => {
      const [lock] = await tx.query<{ locked: boolean }>(tryLock, [lockNumber(attempt)]);
      if (!lock?.locked) throw inProgress();
      const earlier = await find(tx, attempt);
      if (earlier) return earlier;
      const response = await tx
        .transaction(async inner => run(inner, prepared()))
        .catch((error: unknown) => {
          const refusal = error instanceof AppError ? refuse(error) : null;
          if (!refusal || !isStored(refusal.status)) throw error;
          return refusal;
        });
      const { caller, key, fingerprint } = attempt;
      const owner = [caller.accountId, caller.mode, key];
      await tx.query(storeResponse, [...owner, fingerprint, response.status, response.body]);
      return { ...response, replayed: false };
    });

  async function prepareFirst<Prepared>(
    attempt: Attempt,
    work: IdempotentWork<Prepared>,
    prepare: () => Promise<Prepared>,
  ): Promise<Replay> {
    // A repeated call needs nothing prepared, and must not fail because preparing fails now.
    const earlier = await find(db, attempt);
    if (earlier) return earlier;
    const [prepared] = await Promise.allSettled([prepare()]);
    return await inTransaction(attempt, work, () => {
      if (prepared.status === 'rejected') throw prepared.reason;
      return prepared.value;
    });
  }

  return {
    parseKey: parseIdempotencyKey,
    toFingerprint,

    /**
     * Does the work once for each key. The response is written in the transaction that does the work: if the process
     * dies in between, both are there or neither is. Refusals are stored like other responses, except by `isStored`.
     */
    async once<Prepared>(attempt: Attempt, work: IdempotentWork<Prepared>): Promise<Replay> {
      if (!work.prepare) return await inTransaction(attempt, work, () => undefined as Prepared);
      const name = lockNumber(attempt);
      if (preparing.has(name)) throw inProgress();
      preparing.add(name);
      try {
        return await prepareFirst(attempt, work, work.prepare);
      } finally {
        preparing.delete(name);
      }
    },

    /** Removes keys older than a day, a bounded number at a time; returns how many. */
    async removeExpired(limit: number): Promise<number> {
      return (await db.query(removeExpired, [limit])).length;
    },
  } satisfies Idempotency & { removeExpired(limit: number): Promise<number> };
}

/**
 * Whether a refusal by an operation that has begun is stored. A 429 or a 5xx says nothing about the request: the same one
 * may succeed a minute later, and a stored "wait" would hold for a day. Nor does a 412: the same request with another
 * If-Match is another. What is refused before an operation begins (400
 * by its schema, 401, 413, 415) never gets here.
 */
const isStored = (status: number): boolean => status < 500 && status !== 429 && status !== 412;

/** The key in a header, quoted or bare. */
function parseIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const text = String(header).replace(/^"(.*)"$/, '$1');
  if (!/^[\x20-\x7e]{1,255}$/.test(text)) {
    throw new AppError('invalid_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters.', {
      param: 'Idempotency-Key',
    });
  }
  return text;
}

/** Tells one request from another by operation and content, whatever the order of the fields. */
function toFingerprint(operationId: string, content: unknown): Buffer {
  return createHash('sha256')
    .update(operationId)
    .update('\n')
    .update(JSON.stringify(sorted(content)) ?? '')
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

/** Deletes what is stored of an account that is closed. */
export async function deleteStoredResponses(db: Database, accountId: Uuid): Promise<void> {
  await db.query(deleteResponses, [accountId]);
}

type StoredRow = { fingerprint: Buffer; status: number; body: string };

/** By PostgreSQL's clock alone: a process with a wrong one must neither drop a response nor do the work twice. */
const lifetime = `interval '24 hours'`;

const tryLock = sql('lock-idempotency-key', 'select pg_try_advisory_xact_lock($1::bigint) as locked');

const findResponse = sql(
  'find-idempotent-response',
  `select fingerprint, status, body from idempotency_keys
    where account_id = $1 and mode = $2 and key = $3 and created_at > now() - ${lifetime}`,
);

const storeResponse = sql(
  'store-idempotent-response',
  `insert into idempotency_keys (account_id, mode, key, fingerprint, status, body, created_at)
   values ($1, $2, $3, $4, $5, $6, now())
   on conflict (account_id, mode, key) do update
      set fingerprint = excluded.fingerprint, status = excluded.status,
          body = excluded.body, created_at = excluded.created_at`,
);

const removeExpired = sql(
  'remove-expired-idempotency-keys',
  `delete from idempotency_keys
    where (account_id, mode, key) in (
      select account_id, mode, key from idempotency_keys where created_at < now() - ${lifetime} order by created_at limit $1
    ) returning 1`,
);

const deleteResponses = sql(
  'delete-idempotent-responses',
  'delete from idempotency_keys where account_id = $1',
);
