import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const sources = join(import.meta.dirname, '..');

/** Timers that are not periodic work of a process, each with the reason. */
const ownTimers = {
  'platform/background-jobs.ts': 'the scheduler itself',
  'redirect/links/database-watch.ts': 'ticks every few milliseconds, and only while a question is unanswered',
  'redirect/links/lookups.ts': 'hedges one question, and ends with it',
  'scans/log/publisher.ts': 'times out appends, and only while one is unanswered',
};

test('periodic work goes through background-jobs.ts', () => {
  const withTimers = globSync('**/*.ts', { cwd: sources })
    .filter(path => !/\.(test|it|e2e)\.ts$/.test(path))
    .filter(path => /\bsetInterval\b/.test(readFileSync(join(sources, path), 'utf8')));
  expect(withTimers.sort()).toEqual(Object.keys(ownTimers));
});
