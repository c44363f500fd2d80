/** What API keys and people may be allowed to do. */
export const keyPermissions = [
  'qrcodes:read',
  'qrcodes:write',
  'qrcodes:delete',
  'analytics:read',
  'designs:read',
  'designs:write',
  'webhooks:read',
  'webhooks:write',
  'share-links:write',
  'domains:read',
  'account:read',
  'audit:read',
] as const;

/** What only people may be allowed to do: about themselves, about keys and people of the account, and as its owner. */
export const personPermissions = ['profile:manage', 'account:manage', 'account:own'] as const;

/** What only keys of the operator may do: manage the accounts that they created. No role has it, and no other key. */
export const operatorPermission = 'accounts:write';

export const permissions = [...keyPermissions, ...personPermissions] as const;

export type KeyPermission = (typeof keyPermissions)[number];
/** What the scopes of a key may be. */
export type KeyScope = KeyPermission | typeof operatorPermission;
/** What people may do. */
export type RolePermission = (typeof permissions)[number];
export type Permission = RolePermission | typeof operatorPermission;

/** What a person is in an account, the most powerful role first. */
export const roles = ['owner', 'admin', 'editor', 'viewer'] as const;

export type Role = (typeof roles)[number];

const viewer: readonly Permission[] = [
  'qrcodes:read',
  'analytics:read',
  'designs:read',
  'domains:read',
  'account:read',
  'profile:manage',
];
const editor: readonly Permission[] = [...viewer, 'qrcodes:write', 'qrcodes:delete', 'designs:write'];
const admin: readonly Permission[] = [
  ...editor,
  'webhooks:read',
  'webhooks:write',
  'share-links:write',
  'audit:read',
  'account:manage',
];

const editorWithoutDelete: ReadonlySet<Permission> = new Set(editor).difference(new Set(['qrcodes:delete']));

/** What a person may do in an account, which may keep editors from deleting codes. */
export const listPermissions = (role: Role, editorsDelete: boolean): ReadonlySet<Permission> =>
  role === 'editor' && !editorsDelete ? editorWithoutDelete : rolePermissions[role];

/** What each role may do, the most powerful role first. */
export const rolePermissions: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  owner: new Set(permissions),
  admin: new Set(admin),
  editor: new Set(editor),
  viewer: new Set(viewer),
};
