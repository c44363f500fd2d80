import { defineConfig } from 'vitest/config';

/** Three kinds of test, told apart by ending: pure code, code on real engines, the whole service. */
const project = (name: string, ending: string, more: object = {}) => ({
  test: {
    name,
    include: [`{apps,packages,tools,test}/**/*.${ending}.ts`],
    exclude: ['**/node_modules/**'],
    ...more,
  },
});

export default defineConfig({
  test: {
    projects: [
      project('unit', 'test', { testTimeout: 20_000 }),
      project('integration', 'it', {
        testTimeout: 60_000,
        hookTimeout: 60_000,
        maxWorkers: 2,
        globalSetup: ['./test/support/drop-databases.ts'],
      }),
      project('e2e', 'e2e', { testTimeout: 300_000, hookTimeout: 120_000, fileParallelism: false }),
    ],
  },
});
