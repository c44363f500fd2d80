import { defineConfig } from 'vitest/config';
import { groups } from './groups.ts';

const name = process.env.MUTANTS_GROUP ?? '';

/**
 * The tests of one group alone: a mutant is tried in a second, and no engine sees it. Stryker's own `testFiles` will not do:
 * by it (10.1.1) mutants of what is worked out when a file is loaded are switched on too late, and none is found.
 */
export default defineConfig({
  test: { include: [...groups[name]!.tests], exclude: ['**/node_modules/**'], testTimeout: 20_000 },
});
