import { type KeyScope, keyPermissions, operatorPermission } from '@signpost/contract';
import { addressRanges } from '../kernel/addresses/client-address.ts';
import { AppError } from '../kernel/errors.ts';

/** What an API key may do, until when, and from where. */
export type KeyTerms = {
  /** Null: everything but `accounts:write`. */
  readonly scopes: readonly KeyScope[] | null;
  /** Null: never. */
  readonly expiresAt: Date | null;
  /** Networks or single addresses. Null: from everywhere. */
  readonly allowedCidrs: readonly string[] | null;
};

export const openTerms: KeyTerms = { scopes: null, expiresAt: null, allowedCidrs: null };

/** The permissions of a key with these scopes. */
export const toKeyPermissions = (scopes: KeyTerms['scopes']): ReadonlySet<KeyScope> =>
  scopes ? new Set(scopes) : unlimited;

/** Whether it is a key with which the operator manages accounts. */
export const isOperatorKey = ({ scopes }: Pick<KeyTerms, 'scopes'>): boolean =>
  scopes?.includes(operatorPermission) ?? false;

const unlimited: ReadonlySet<KeyScope> = new Set(keyPermissions);

/** Refuses terms that no key can have, before they are stored. */
export function requireTerms({ expiresAt, allowedCidrs }: Partial<KeyTerms>, now: Date): void {
  if (expiresAt && expiresAt <= now)
    throw new AppError(
      'invalid_request',
      'expires_at must be in the future. To end the key now, revoke it.',
      { param: 'expires_at' },
    );
  for (const [index, range] of (allowedCidrs ?? []).entries()) {
    if (isAddressRange(range)) continue;
    throw new AppError(
      'invalid_request',
      `allowed_cidrs[${index}] must be an address such as 203.0.113.7 or a network such as 203.0.113.0/24 or 2001:db8::/32.`,
      { param: 'allowed_cidrs' },
    );
  }
}

function isAddressRange(range: string): boolean {
  try {
    addressRanges([range]);
    return true;
  } catch {
    return false;
  }
}

/** Whether a key with the new terms may do anything that it could not do with the old ones. */
export function isWider(before: KeyTerms, after: KeyTerms): boolean {
  const added = <Item>(old: readonly Item[] | null, given: readonly Item[] | null) =>
    old !== null && (given === null || given.some(item => !old.includes(item)));
  return (
    toKeyPermissions(after.scopes).isSubsetOf(toKeyPermissions(before.scopes)) === false ||
    added(before.allowedCidrs, after.allowedCidrs) ||
    (before.expiresAt !== null && (after.expiresAt === null || after.expiresAt > before.expiresAt))
  );
}
