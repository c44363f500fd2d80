import { type KeyPermission, keyPermissions } from '@signpost/contract/permissions.ts';

/** What a key may do, in the choices that people get. Other combinations are made by API. */
export const keyPresets = ['read', 'edit', 'all'] as const;
export type KeyPreset = (typeof keyPresets)[number];

const reading = keyPermissions.filter(scope => scope.endsWith(':read') && scope !== 'audit:read');

/** Null: everything. */
export const presetScopes: Readonly<Record<KeyPreset, readonly KeyPermission[] | null>> = {
  read: reading,
  edit: [...reading, 'qrcodes:write', 'designs:write'],
  all: null,
};

/** Null for scopes that are none of the choices. */
export function toPreset(scopes: readonly string[] | null): KeyPreset | null {
  if (scopes === null) return 'all';
  const given = new Set(scopes);
  const isSame = (preset: KeyPreset) => {
    const own = presetScopes[preset];
    return own?.length === given.size && own.every(scope => given.has(scope));
  };
  return keyPresets.find(isSame) ?? null;
}
