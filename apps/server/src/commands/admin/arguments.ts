import { AppError } from '../../kernel/errors.ts';
import { type IdPrefix, parseId, type Uuid } from '../../kernel/ids.ts';

/** Refuses an argument, and shows how the command is used. */
export const usageError = (reason: string, usage: string) =>
  new AppError('invalid_request', `${reason}\n\n${usage}`);

const idNames = {
  acct: { noun: 'an account id', missing: 'An account id', shownBy: 'list-accounts' },
  key: { noun: 'a key id', missing: 'A key id', shownBy: 'list-keys ACCOUNT' },
} as const satisfies Partial<Record<IdPrefix, unknown>>;

export function requireId(prefix: keyof typeof idNames, text: string, usage: string): Uuid {
  const id = parseId(prefix, text);
  if (id) return id;
  const { noun, missing, shownBy } = idNames[prefix];
  const reason = text === '' ? `${missing} is missing` : `${text} is not ${noun}`;
  throw usageError(`${reason}. Ids look like ${prefix}_…; signpost admin ${shownBy} shows them.`, usage);
}

/** How many rows a list prints. */
export function parseLimit(text: string | undefined, usage: string): number {
  const limit = Number(text ?? 100);
  if (!Number.isInteger(limit) || limit < 1)
    throw usageError('--limit must be a whole number above 0.', usage);
  return limit;
}
