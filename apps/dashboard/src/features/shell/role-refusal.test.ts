import { permissions, type Role, rolePermissions } from '@signpost/contract';
import { expect, test } from 'vitest';
import { roleRefusal } from './role-refusal.ts';

const account = (role: Role, without?: 'qrcodes:delete') => ({
  role,
  permissions: permissions.filter(one => rolePermissions[role].has(one) && one !== without),
});

test('what a role may not do is explained with whom to ask, and what it may do is not', () => {
  expect(roleRefusal(account('viewer'), 'qrcodes:write')).toMatch(/Viewers can’t .* Ask an owner or admin/);
  expect(roleRefusal(account('editor'), 'qrcodes:write')).toBeUndefined();
  expect(roleRefusal(account('editor'), 'account:manage')).toMatch(/owners and admins/);
  expect(roleRefusal(account('admin'), 'account:own')).toMatch(/owner/);
  expect(roleRefusal(account('owner'), 'account:own')).toBeUndefined();
});

test('an editor who may not delete is told that it is the account that decided so', () => {
  expect(roleRefusal(account('editor'), 'qrcodes:delete')).toBeUndefined();
  expect(roleRefusal(account('editor', 'qrcodes:delete'), 'qrcodes:delete')).toMatch(/in this account/);
});
