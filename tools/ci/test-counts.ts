import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

export type Counts = {
  readonly passed: number;
  readonly failed: number;
  /** The tests that failed or did not end, and the files that could not be run at all. */
  readonly names: readonly string[];
};

type Report = {
  readonly success?: boolean;
  readonly numTotalTests?: number;
  readonly numPassedTests?: number;
  readonly numFailedTests?: number;
  readonly testResults?: readonly TestFile[];
};

type TestFile = {
  readonly name: string;
  readonly status: string;
  readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
};

/**
 * How many tests passed and failed in a JSON report of Vitest. A run without results has failed, and so has a test without a
 * result: where a worker crashes, Vitest reports those that were left as pending, and the run as a success.
 */
export function testCounts(report: string | undefined): Counts {
  const {
    success,
    numTotalTests = 0,
    numPassedTests: passed = 0,
    numFailedTests = 0,
    testResults = [],
  } = parse(report);
  if (numTotalTests === 0) return { passed: 0, failed: 1, names: [] };
  // A file that cannot be loaded, or an error outside any test, fails the run without failing a test.
  const bad =
    numFailedTests + testResults.flatMap(({ assertionResults }) => assertionResults.filter(isPending)).length;
  return { passed, failed: success ? bad : Math.max(1, bad), names: testResults.flatMap(failuresOf) };
}

const isPending = ({ status }: { readonly status: string }) => status === 'pending';

function failuresOf({ name, status, assertionResults }: TestFile): string[] {
  const file = relative(process.cwd(), name);
  const tests = assertionResults.filter(one => one.status === 'failed' || isPending(one));
  if (tests.length === 0) return status === 'failed' ? [file] : [];
  return tests.map(one => `${file} > ${one.fullName}`);
}

function parse(report: string | undefined): Report {
  try {
    return JSON.parse(report ?? '{}') as Report;
  } catch {
    return {};
  }
}

if (import.meta.main) {
  const [path = ''] = process.argv.slice(2);
  const { passed, failed, names } = testCounts(existsSync(path) ? readFileSync(path, 'utf8') : undefined);
  console.log([`${passed} ${failed}`, ...names].join('\n'));
}
