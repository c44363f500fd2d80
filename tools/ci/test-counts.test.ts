import { expect, test } from 'vitest';
import { testCounts } from './test-counts.ts';

const report = (numPassedTests: number, numFailedTests: number, success = numFailedTests === 0) =>
  JSON.stringify({ success, numTotalTests: numPassedTests + numFailedTests, numPassedTests, numFailedTests });

test('tests are counted as reported', () => {
  expect(testCounts(report(12, 0))).toEqual({ passed: 12, failed: 0, names: [] });
  expect(testCounts(report(12, 3))).toEqual({ passed: 12, failed: 3, names: [] });
});

test('a run that failed outside its tests counts as one failure', () => {
  expect(testCounts(report(12, 0, false))).toEqual({ passed: 12, failed: 1, names: [] });
});

test.each([
  ['missing', undefined],
  ['cut short', '{"success": tr'],
  ['empty', report(0, 0)],
])('a report that is %s counts one failed', (_what, text) => {
  expect(testCounts(text)).toEqual({ passed: 0, failed: 1, names: [] });
});

test('failed tests are named, and so are files that could not be run', () => {
  const name = (file: string) => `${process.cwd()}/${file}`;
  const testResults = [
    {
      name: name('a.test.ts'),
      status: 'failed',
      assertionResults: [
        { status: 'passed', fullName: 'one' },
        { status: 'failed', fullName: 'group two' },
      ],
    },
    { name: name('b.test.ts'), status: 'failed', assertionResults: [] },
    {
      name: name('c.test.ts'),
      status: 'passed',
      assertionResults: [{ status: 'passed', fullName: 'three' }],
    },
  ];
  const { names } = testCounts(
    JSON.stringify({ success: false, numTotalTests: 3, numFailedTests: 1, testResults }),
  );
  expect(names).toEqual(['a.test.ts > group two', 'b.test.ts']);
});

test('tests that a crashed worker left pending have failed, and skipped ones have not', () => {
  const assertionResults = ['passed', 'pending', 'pending', 'skipped'].map((status, n) => ({
    status,
    fullName: `test ${n}`,
  }));
  const testResults = [{ name: `${process.cwd()}/a.it.ts`, status: 'passed', assertionResults }];
  const counts = { success: true, numTotalTests: 4, numPassedTests: 1, numFailedTests: 0, testResults };
  expect(testCounts(JSON.stringify(counts))).toEqual({
    passed: 1,
    failed: 2,
    names: ['a.it.ts > test 1', 'a.it.ts > test 2'],
  });
});
