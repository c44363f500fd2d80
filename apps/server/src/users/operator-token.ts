import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Database, sql } from '../platform/postgres.ts';

/**
 * What makes the first operator: 160 random bits in a file of one machine. PostgreSQL has the hash of each machine's, so
 * that any process of a fleet knows all of them and none can be read there.
 */
export type OperatorToken = string;

export const newOperatorToken = (): OperatorToken => randomBytes(20).toString('hex');

export const isOperatorToken = (text: string): text is OperatorToken => /^[0-9a-f]{40}$/.test(text);

const hashOf = (token: string) => createHash('sha256').update(token).digest();

/** Says that the token of this machine is good, and forgets those that nobody has spoken for in an hour. */
export async function noteToken(db: Database, token: OperatorToken): Promise<void> {
  await db.query(removeOld);
  await db.query(note, [hashOf(token)]);
}

/** For one whose file has another token by now. */
export async function forgetToken(db: Database, token: OperatorToken): Promise<void> {
  await db.query(forget, [hashOf(token)]);
}

/** Compares with every token, each in constant time. */
export async function isGoodToken(db: Database, token: string): Promise<boolean> {
  const given = hashOf(token.trim());
  const rows = await db.query<{ hash: Buffer }>(all);
  return rows.reduce((isGood, { hash }) => timingSafeEqual(hash, given) || isGood, false);
}

/** A machine may start often without keeping its file; these are more than a fleet has. */
const most = 1000;

const note = sql(
  'note-operator-token',
  `insert into operator_tokens (hash, seen_at) select $1, now() where not exists (select from operators)
   on conflict (hash) do update set seen_at = excluded.seen_at`,
);
const forget = sql('forget-operator-token', 'delete from operator_tokens where hash = $1');
const removeOld = sql(
  'remove-old-operator-tokens',
  `delete from operator_tokens where seen_at < now() - interval '1 hour' or exists (select from operators)`,
);
const all = sql(
  'all-operator-tokens',
  `select hash from operator_tokens where seen_at > now() - interval '1 hour' order by seen_at desc limit ${most}`,
);
