import { expect, test } from 'vitest';
import { testCounts } from './test-counts.ts';

const report = (numPassedTests: number, numFailedTests: number, success = numFailedTests === 0) =>
  JSON.stringify({ success, numTotalTests: numPassedTests + numFailedTests, numPassedTests, numFailedTests });

test('tests are counted as the report tells them', () => {
  expect(testCounts(report(12, 0))).toEqual({ passed: 12, failed: 0 });
  expect(testCounts(report(12, 3))).toEqual({ passed: 12, failed: 3 });
});

test('a run that failed outside of its tests counts one failed', () => {
  expect(testCounts(report(12, 0, false))).toEqual({ passed: 12, failed: 1 });
});

test.each([
  ['missing', undefined],
  ['cut short', '{"success": tr'],
  ['empty', report(0, 0)],
])('a report that is %s counts one failed', (_what, text) => {
  expect(testCounts(text)).toEqual({ passed: 0, failed: 1 });
});
