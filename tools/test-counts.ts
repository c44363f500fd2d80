import { existsSync, readFileSync } from 'node:fs';

export type Counts = { readonly passed: number; readonly failed: number };

type Report = {
  readonly success?: boolean;
  readonly numTotalTests?: number;
  readonly numPassedTests?: number;
  readonly numFailedTests?: number;
};

/** How many tests of one of Vitest's JSON reports passed and failed. A run that shows nothing has failed. */
export function testCounts(report: string | undefined): Counts {
  const { success, numTotalTests = 0, numPassedTests: passed = 0, numFailedTests = 0 } = parse(report);
  if (numTotalTests === 0) return { passed: 0, failed: 1 };
  // A file that cannot be loaded and an error outside of any test fail the run without failing a test.
  return { passed, failed: success ? numFailedTests : Math.max(1, numFailedTests) };
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
  const { passed, failed } = testCounts(existsSync(path) ? readFileSync(path, 'utf8') : undefined);
  console.log(`${passed} ${failed}`);
}
