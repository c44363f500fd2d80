import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { runCommand, type TestServer } from '@signpost/testing/server.ts';
import { createSoloFixture, type SoloFixture } from '@signpost/testing/solo.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

/** From the command to a server that is ready. In CI a slow machine gets five times what loading the code takes there. */
const [quietMs, busyMs] = [5_000, 15_000];
const limitOf = (ms: number, loading: number) => (process.env.CI ? Math.max(ms, 5 * loading) : ms);

let solo: SoloFixture;
let loadingMs = 0;

beforeAll(async () => {
  solo = await createSoloFixture({ LOG_LEVEL: 'info' });
  // The second time, with what the first one compiled, as after `npm run setup`.
  for (const _ of ['compiles', 'is measured']) loadingMs = await timeOf(load);
});
afterAll(() => solo?.close());

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

async function load(): Promise<void> {
  const file = new URL('../../apps/server/compile.js', import.meta.url).pathname;
  await runCommand([], { LOG_LEVEL: 'info' }, file);
}

async function startSolo(): Promise<TestServer> {
  const server = await solo.fixture.server({}, 'solo');
  onTestFinished(async () => void (await server.end('SIGTERM')));
  await waitUntil('solo is ready', async () => {
    const { status } = (await (await fetch(server.readyUrl)).json()) as { status: string };
    return status === 'ready';
  });
  return server;
}

type Line = { readonly level: string; readonly msg: string; readonly err?: { readonly stack?: string } };

const linesOf = (log: string): readonly Line[] =>
  log
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line));

/** What an operator is warned of, but for what is true of a new installation. */
const alarmsOf = (server: TestServer) =>
  linesOf(server.log())
    .filter(({ level, msg }) => level !== 'info' && !/^no operator yet|must exist$/.test(msg))
    .map(({ msg }) => msg);

function spin(): ChildProcess {
  const child = spawn(process.execPath, ['-e', 'for (;;);']);
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

test('solo is ready within 5 s on a quiet machine, from source', async () => {
  let server: TestServer | undefined;
  const ms = await timeOf(async () => {
    server = await startSolo();
  });
  console.log(`start quiet seconds ${seconds(ms)} of them loading ${seconds(loadingMs)}`);
  expect(alarmsOf(server!)).toEqual([]);
  expect(ms).toBeLessThan(limitOf(quietMs, loadingMs));
});

test('solo starts beside two busy loops within 15 s, without a warning about a healthy database', async () => {
  for (const _ of ['one', 'another']) spin();
  const loadingBesideMs = await timeOf(load);
  let server: TestServer | undefined;
  const ms = await timeOf(async () => {
    server = await startSolo();
  });
  console.log(`start busy seconds ${seconds(ms)} of them loading ${seconds(loadingBesideMs)}`);
  expect(ms).toBeLessThan(limitOf(busyMs, loadingBesideMs));
  // Time for the jobs to begin, and to complain.
  await sleep(5_000);
  expect(alarmsOf(server!)).toEqual([]);
});

test('without its database solo says so in one line and ends; one that loses it writes lines without stacks', async () => {
  const server = await startSolo();
  const before = server.log().length;
  await solo.postgres.stop('immediate');
  onTestFinished(async () => void (await solo.postgres.start()));
  const since = () => linesOf(server.log().slice(before));
  const isReported = () => since().some(({ msg }) => /^postgres does not answer/.test(msg));
  await waitUntil('it is reported', isReported);
  const redirects = await fetch(`${server.url}/no-such-code`);
  expect([404, 503]).toContain(redirects.status);
  const lines = since().filter(({ level }) => level !== 'info');
  expect(lines.filter(({ err }) => err?.stack)).toEqual([]);
  expect(lines.filter(({ msg }) => msg === 'background job failed')).toEqual([]);
  expect(lines.length).toBeLessThan(20);
  await server.end('SIGTERM');

  const { code, output } = await runCommand(['solo'], solo.fixture.env);
  expect([code, output.trim().split('\n')]).toEqual([1, [expect.stringMatching(/^DATABASE_URL: /)]]);
});

const seconds = (ms: number) => (ms / 1000).toFixed(1);
