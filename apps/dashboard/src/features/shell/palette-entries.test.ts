import { permissions } from '@signpost/contract';
import { expect, test } from 'vitest';
import { fixedEntries } from './palette-entries.ts';

const none = {
  go: () => {},
  newCode: () => {},
  changeMode: () => {},
  enterAccount: () => {},
  newAccount: () => {},
  showKeys: () => {},
};
type Visitor = Parameters<typeof fixedEntries>[1];
const owner: Visitor = {
  mode: 'live',
  isOperator: false,
  hasPlans: true,
  permissions: permissions,
  accounts: [{ id: 'acct_2', name: 'Café Aurora', role: 'viewer' }],
  canCreateAccount: true,
};
const labels = (typed: string, visitor: Partial<Visitor> = {}) =>
  fixedEntries(typed, { ...owner, ...visitor }, none).map(({ label }) => label);

test('pages and actions are found by any of their words', () => {
  expect(labels('api k')).toEqual(['API keys']);
  expect(labels('test')).toEqual(['Switch to test mode']);
  expect(labels('nothing like it')).toEqual([]);
});

test('pages of operators are offered to operators alone', () => {
  expect(labels('suspen')).toEqual([]);
  expect(labels('suspen', { isOperator: true })).toEqual(['Suspensions']);
});

test('other accounts and a new one are found, and nothing that the role does not allow', () => {
  expect(labels('aurora')).toEqual(['Switch to Café Aurora']);
  expect(labels('new acc')).toEqual(['New account']);
  expect(labels('new acc', { canCreateAccount: false })).toEqual([]);
  expect(labels('new code', { permissions: ['qrcodes:read'] })).toEqual([]);
  expect(labels('api keys', { permissions: ['qrcodes:read'] })).toEqual([]);
});
