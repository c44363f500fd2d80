import { defineConfig } from 'vitest/config';
import LongestFirst from './packages/testing/src/longest-first.ts';

/** Three kinds of test, by file ending: pure code, code on real engines, the whole service. */
const project = (name: string, ending: string, options: object = {}) => ({
  test: {
    name,
    include: [`{apps,packages,tools,test,bench}/**/*.${ending}.ts`],
    exclude: ['**/node_modules/**'],
    ...options,
  },
});

/** End-to-end tests that mostly wait, for a killed process or for a page, and do not measure short times. */
const parallelFiles = [
  'test/{operations,deploy,model}/**/*.e2e.ts',
  'test/e2e/{abuse,at-once,clocks,counting,dashboard-*,domains*,faults,full-disk,grow,ingest,locations,log-replaced,import-export,nats-cluster,not-redirected,organise,privacy,processes,readme,redirect,report,retention,rules,scans,seed,share-links,shares-creation,webhooks,webhooks-no-loss}.e2e.ts',
  'packages/{sdk,qr}/**/*.e2e.ts',
  'apps/server/test/*.e2e.ts',
  // In CI the first measures neither memory nor times, and the second compares medians of calls that take turns.
  ...(process.env.CI ? ['test/e2e/{solo,size}.e2e.ts'] : []),
];

/** Those that look at every page in a browser, which takes longest. */
const pageFiles = [
  'test/e2e/dashboard-{abuse,charts,matrix,overlays,pages}.e2e.ts',
  'test/e2e/{reference,scanner-pages}.e2e.ts',
];

/** On a Docker engine, by hand: it needs root, and builds images for minutes. */
const dockerFiles = ['test/deploy/docker.e2e.ts'];

const e2eTimeouts = { testTimeout: 600_000, hookTimeout: 300_000 };

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      project('unit', 'test', { testTimeout: 60_000, maxWorkers: 2 }),
      project('integration', 'it', {
        testTimeout: 180_000,
        hookTimeout: 180_000,
        // Many of them wait for timeouts, so three keep two cores busy.
        maxWorkers: 3,
        globalSetup: ['./packages/testing/src/drop-databases.ts'],
      }),
      project('e2e', 'e2e', {
        ...e2eTimeouts,
        exclude: ['**/node_modules/**', ...parallelFiles, ...pageFiles, ...dockerFiles],
        fileParallelism: false,
        sequence: { groupOrder: 1 },
      }),
      project('e2e parallel', 'e2e', {
        ...e2eTimeouts,
        include: parallelFiles,
        exclude: ['**/node_modules/**', ...pageFiles, ...dockerFiles],
        // As with the integration tests: each waits for a browser, a kill or a poll.
        maxWorkers: 3,
        sequence: { groupOrder: 2 },
      }),
      project('docker', 'e2e', { ...e2eTimeouts, include: dockerFiles, sequence: { groupOrder: 4 } }),
      project('e2e pages', 'e2e', {
        ...e2eTimeouts,
        include: pageFiles,
        maxWorkers: 3,
        sequence: { groupOrder: 3 },
      }),
    ],
  },
});
