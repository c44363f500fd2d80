import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ask } from '@signpost/testing/client.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { startPostgres } from '@signpost/testing/engines/postgres.ts';
import { startRedis } from '@signpost/testing/engines/redis.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import type { HolderReport } from '@signpost/testing/holder-process.ts';
import { percentile } from '@signpost/testing/percentile.ts';
import { cpuMicrosOf } from '@signpost/testing/process-cpu.ts';
import type { TestServer } from '@signpost/testing/server.ts';

const sizes = [1, 100, 400, 1000];
const aims = { editsPerSecond: 100, p99Ms: 500 };
/** Redirect processes that one process of this bench plays. */
const perProcess = 125;
const warmUpSeconds = 3;

type Figures = {
  readonly holders: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** At the target rate, rather than at saturation. */
  readonly pacedP99: number;
  readonly cpuMicros: number;
};

/**
 * `npm run bench -- edits [--seconds 10] [--clients 32] [--holders 1,100]`: edits over HTTP while 1 to 1,000 redirect
 * processes hold leases and acknowledge every change. These are simulated by the real classes in a few processes. First, each
 * client edits as fast as it is answered; then edits are sent at the target rate, answered or not. Both have to meet the aim.
 */
export default async function bench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: '10' },
      clients: { type: 'string', default: '32' },
      holders: { type: 'string', default: sizes.join(',') },
    },
  });
  const load = { seconds: Number(values.seconds), clients: Number(values.clients) };
  const [nats, redis, postgres] = await Promise.all([startNats(), startRedis(), startPostgres()]);
  const fixture = await createFixture({ NATS_URL: nats.url, REDIS_URL: redis.url }, postgres.url);
  try {
    const server = await fixture.server();
    const editor = await createEditor(fixture, server, load.clients);
    const results: Figures[] = [];
    for (const holders of values.holders.split(',').map(Number)) {
      const figures = await measure(fixture, server, editor, { holders, ...load });
      results.push(figures);
      console.log(describe(figures));
    }
    report(results);
  } finally {
    await fixture.close();
    await Promise.all([nats.remove(), redis.remove(), postgres.remove()]);
  }
}

type Editor = { edit(client: number): Promise<void> };

/** Each client edits its own code. */
async function createEditor(fixture: Fixture, { url }: TestServer, clients: number): Promise<Editor> {
  const { live: key } = await fixture.account();
  const items = Array.from({ length: clients }, (_, i) => ({
    name: `Code ${i}`,
    destination_url: 'https://example.com/0',
  }));
  const made = await ask({ method: 'POST', url: `${url}/v1/qrcodes/bulk`, key, body: { items } });
  const ids: string[] = made.body.data.map((entry: { qr_code: { id: string } }) => entry.qr_code.id);
  let step = 0;
  return {
    async edit(client) {
      const body = { destination_url: `https://example.com/${++step}` };
      const answer = await ask({ method: 'PATCH', url: `${url}/v1/qrcodes/${ids[client]}`, key, body });
      if (answer.status !== 200)
        throw new Error(`An edit was answered with ${answer.status}: ${JSON.stringify(answer.body)}`);
    },
  };
}

type Load = { readonly holders: number; readonly seconds: number; readonly clients: number };

async function measure(
  fixture: Fixture,
  server: TestServer,
  editor: Editor,
  { holders, seconds, clients }: Load,
): Promise<Figures> {
  const children = await startHolders(fixture.env, holders);
  await run(editor, clients, warmUpSeconds);
  const before = await askHolders(children);
  const cpuBefore = cpuMicrosOf(server.pid);
  const startMs = performance.now();
  const times = await run(editor, clients, seconds);
  const perSecond = times.length / ((performance.now() - startMs) / 1000);
  const cpuMicros = (cpuMicrosOf(server.pid) - cpuBefore) / times.length;
  const paced = await runPaced(editor, clients, seconds);
  const after = await askHolders(children);
  if (after.held !== holders || after.lost > before.lost || after.forgotten > 0)
    console.log(
      `of ${holders} leases ${after.held} are held, ${after.lost - before.lost} were lost, ${after.forgotten} processes forgot everything`,
    );
  for (const child of children) {
    const exit = once(child, 'exit');
    child.disconnect();
    await exit;
  }
  // Nobody gave its lease back: an edit finds the leases unanswered and waits for their end.
  await editor.edit(0);
  return {
    holders,
    perSecond,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    pacedP99: percentile(paced, 0.99),
    cpuMicros,
  };
}

async function startHolders(env: Record<string, string>, holders: number): Promise<ChildProcess[]> {
  const counts: number[] = [];
  for (let left = holders; left > 0; left -= perProcess) counts.push(Math.min(left, perProcess));
  const program = new URL('../packages/testing/src/holder-process.ts', import.meta.url);
  const children = await Promise.all(
    counts.map(async count => {
      const child = fork(program, {
        env: { PATH: process.env.PATH, ...env, HOLDERS: String(count) },
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      await once(child, 'message');
      return child;
    }),
  );
  await waitUntil('all leases are held', async () => (await askHolders(children)).held === holders, {
    timeoutMs: 60_000,
  });
  return children;
}

async function askHolders(children: readonly ChildProcess[]): Promise<HolderReport> {
  const reports = await Promise.all(
    children.map(async child => {
      const answer = once(child, 'message');
      child.send('report');
      return ((await answer) as [HolderReport])[0];
    }),
  );
  const sum = (of: keyof HolderReport) => reports.reduce((total, report) => total + report[of], 0);
  return { held: sum('held'), lost: sum('lost'), forgotten: sum('forgotten') };
}

/** How long each edit took. */
async function run(editor: Editor, clients: number, seconds: number): Promise<number[]> {
  const times: number[] = [];
  const endMs = performance.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      while (performance.now() < endMs) {
        const startMs = performance.now();
        await editor.edit(client);
        times.push(performance.now() - startMs);
      }
    }),
  );
  return times;
}

/** How long each edit took, from the moment it was due. */
async function runPaced(editor: Editor, clients: number, seconds: number): Promise<number[]> {
  const startMs = performance.now();
  const edits = Array.from({ length: aims.editsPerSecond * seconds }, async (_, index) => {
    const dueMs = startMs + (index * 1000) / aims.editsPerSecond;
    await pause(dueMs - performance.now());
    await editor.edit(index % clients);
    return performance.now() - dueMs;
  });
  return await Promise.all(edits);
}

const describe = ({ holders, perSecond, p50, p99, pacedP99, cpuMicros }: Figures) =>
  `${holders} holders: ${perSecond.toFixed(0)} edits/s, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, at ${aims.editsPerSecond}/s p99 ${pacedP99.toFixed(0)} ms, API CPU ${cpuMicros.toFixed(0)} µs an edit`;

/** Falls short where the largest is too slow, or the CPU of an edit grows faster than the holders. */
function report(results: readonly Figures[]): void {
  const largest = results.at(-1)!;
  const grows = results.some((figures, i) => {
    const before = results[i - 1];
    return before && figures.cpuMicros / before.cpuMicros > figures.holders / before.holders;
  });
  const isMet =
    largest.perSecond >= aims.editsPerSecond &&
    largest.p99 <= aims.p99Ms &&
    largest.pacedP99 <= aims.p99Ms &&
    !grows;
  console.log(
    `edits ${results.map(describe).join('; ')}; aim ${aims.editsPerSecond} edits/s, p99 ${aims.p99Ms} ms${grows ? '; CPU GROWS FASTER THAN HOLDERS' : ''} ${isMet ? 'met' : 'NOT MET'}`,
  );
  if (!isMet) process.exitCode = 1;
}
