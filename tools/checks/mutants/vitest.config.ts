import { defineConfig } from 'vitest/config';
import { groups } from './groups.ts';

const name = process.env.MUTANTS_GROUP ?? '';

/**
 * Only the tests of one group: a mutant takes a second, and no engine is involved. Stryker's own `testFiles` does not work
 * (10.1.1): it activates mutants of module-level code too late, and none is detected.
 */
export default defineConfig({
  test: { include: [...(groups[name]?.tests ?? [])], exclude: ['**/node_modules/**'], testTimeout: 20_000 },
});
