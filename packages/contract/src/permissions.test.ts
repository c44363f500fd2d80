import { expect, test } from 'vitest';
import { accountOperations } from './account-operations.ts';
import { errorsOf, type Operation, operations } from './operations.ts';
import { keyPermissions, operatorPermission, permissions, rolePermissions } from './permissions.ts';

const all = Object.values<Operation>({ ...operations, ...accountOperations });

test('every operation for keys or sessions declares a permission, and no other does', () => {
  for (const { id, authScheme, permission } of all) {
    const isNeeded = authScheme === 'apiKey' || authScheme === 'session';
    expect(permission !== undefined, id).toBe(isNeeded);
  }
});

test('every permission is needed by an operation, and those of keys by one of the API', () => {
  const needed = (of: readonly Operation[]) =>
    new Set(of.flatMap(({ permission }) => permission ?? [])) as Set<string>;
  expect(needed(all)).toEqual(new Set([...permissions, operatorPermission]));
  expect(needed(Object.values<Operation>(operations))).toEqual(
    new Set([...keyPermissions, operatorPermission]),
  );
});

test('no role has the permission of the operator’s keys', () => {
  for (const held of Object.values(rolePermissions)) expect(held.has(operatorPermission)).toBe(false);
});

test('each role may do what the next one may, and more; owners may do everything', () => {
  const [owner, admin, editor, viewer] = Object.values(rolePermissions);
  expect(owner).toEqual(new Set(permissions));
  for (const [more, less] of [
    [owner!, admin!],
    [admin!, editor!],
    [editor!, viewer!],
  ] as const) {
    expect(more.isSupersetOf(less)).toBe(true);
    expect(more.size).toBeGreaterThan(less.size);
  }
});

test('an operation that some role may not do can be refused', () => {
  for (const operation of all) {
    const lacking = Object.values(rolePermissions).filter(
      held => operation.permission && !held.has(operation.permission),
    );
    if (lacking.length > 0) expect(errorsOf(operation), operation.id).toContain('forbidden');
  }
});
