import type { ApiKeyItem, ApiKeyTerms } from '@signpost/contract';
import { AppError } from '../kernel/errors.ts';
import { formatId } from '../kernel/ids.ts';
import { parseMoment } from '../kernel/moment.ts';
import type { ListedKey } from './account.ts';
import type { KeyTerms } from './key-terms.ts';

export const presentKey = ({
  id,
  name,
  mode,
  hint,
  createdAt,
  lastUsedAt,
  ...key
}: ListedKey): ApiKeyItem => ({
  id: formatId('key', id),
  name,
  mode,
  prefix: `sk_${mode}_`,
  last_four: hint,
  scopes: key.scopes && [...key.scopes],
  expires_at: key.expiresAt?.toISOString() ?? null,
  allowed_cidrs: key.allowedCidrs && [...key.allowedCidrs],
  created_by: key.creatorName,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
});

/** Only what was given. */
export const toTerms = ({
  scopes,
  expires_at: expiresAt,
  allowed_cidrs: allowedCidrs,
}: ApiKeyTerms): Partial<KeyTerms> => ({
  ...(scopes === undefined ? {} : { scopes }),
  ...(expiresAt === undefined ? {} : { expiresAt: expiresAt === null ? null : requireMoment(expiresAt) }),
  ...(allowedCidrs === undefined ? {} : { allowedCidrs }),
});

function requireMoment(text: string): Date {
  const moment = parseMoment(text);
  if (moment) return moment.at;
  throw new AppError('invalid_request', `expires_at names a day that does not exist: ${text}.`, {
    param: 'expires_at',
  });
}
