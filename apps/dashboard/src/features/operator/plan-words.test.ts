import { expect, test } from 'vitest';
import { codesOfPlan, limitOf } from './plan-words.ts';

test('a limit is a number, or said not to be there', () => {
  expect([limitOf(2500), limitOf(0), limitOf(null)]).toEqual(['2,500', '0', 'No limit']);
});

test('the codes of a plan are named by where they may be made', () => {
  expect(codesOfPlan({ quota_scope: 'pool', code_quota: 50, session_codes: null })).toBe('50');
  expect(codesOfPlan({ quota_scope: 'api', code_quota: 100, session_codes: 100 })).toBe(
    '100 with the API, 100 in the dashboard',
  );
});
