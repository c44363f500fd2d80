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

/** Of the whole service: these mostly wait, for what was killed to come back or for a page, and measure no fine times. */
const sideBySide = [
  'test/{operations,deploy,model}/**/*.e2e.ts',
  'test/e2e/{abuse,at-once,clocks,counting,dashboard-abuse,dashboard-journey,dashboard-pages,faults,full-disk,ingest,locations,log-replaced,moving,nats-cluster,privacy,processes,readme,redirect,report,scans,seed,shares-creation,webhooks,webhooks-no-loss}.e2e.ts',
  'packages/{sdk,qr}/**/*.e2e.ts',
];

const whole = { testTimeout: 600_000, hookTimeout: 300_000 };

export default defineConfig({
  test: {
    projects: [
      project('unit', 'test', { testTimeout: 60_000, maxWorkers: 2 }),
      project('integration', 'it', {
        testTimeout: 180_000,
        hookTimeout: 180_000,
        maxWorkers: 2,
        globalSetup: ['./test/support/drop-databases.ts'],
      }),
      project('e2e', 'e2e', {
        ...whole,
        exclude: ['**/node_modules/**', ...sideBySide],
        fileParallelism: false,
        sequence: { groupOrder: 1 },
      }),
      project('e2e side by side', 'e2e', {
        ...whole,
        include: sideBySide,
        maxWorkers: 2,
        sequence: { groupOrder: 2 },
      }),
    ],
  },
});
