import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Database, sql } from '../../platform/postgres/postgres.ts';

/**
 * Allows its holder to create the first operator: 160 random bits in a file on one machine. PostgreSQL has the hash of every
 * machine's token, so that any process can check all of them and none can be read there.
 */
export type OperatorToken = string;

export const newOperatorToken = (): OperatorToken => randomBytes(20).toString('hex');

export const isOperatorToken = (text: string): text is OperatorToken => /^[0-9a-f]{40}$/.test(text);

const hashToken = (token: string) => createHash('sha256').update(token).digest();

/** Marks the token of this machine as valid, and removes tokens that were not registered again for an hour. */
export async function registerToken(db: Database, token: OperatorToken): Promise<void> {
  await db.query(removeOld);
  await db.query(register, [hashToken(token)]);
}

/** For a token that was replaced in its file. */
export async function unregisterToken(db: Database, token: OperatorToken): Promise<void> {
  await db.query(unregister, [hashToken(token)]);
}

/** Compares with every token in constant time. */
export async function isValidToken(db: Database, token: string): Promise<boolean> {
  const given = hashToken(token.trim());
  const rows = await db.query<{ hash: Buffer }>(validTokens);
  return rows.reduce((isValid, { hash }) => timingSafeEqual(hash, given) || isValid, false);
}

/** More than the machines of any installation, even if some lose their file at every start. */
const maxTokens = 1000;

const register = sql(
  'register-operator-token',
  `insert into operator_tokens (hash, seen_at) select $1, now() where not exists (select from operators)
   on conflict (hash) do update set seen_at = excluded.seen_at`,
);
const unregister = sql('unregister-operator-token', 'delete from operator_tokens where hash = $1');
const removeOld = sql(
  'remove-old-operator-tokens',
  `delete from operator_tokens where seen_at < now() - interval '1 hour' or exists (select from operators)`,
);
const validTokens = sql(
  'valid-operator-tokens',
  `select hash from operator_tokens where seen_at > now() - interval '1 hour' order by seen_at desc limit ${maxTokens}`,
);
