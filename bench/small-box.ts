import { type ExecFileSyncOptions, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ask } from '@signpost/testing/client.ts';
import { describeMemory, type Memory, memoryOf } from '@signpost/testing/memory.ts';
import { TestServer } from '@signpost/testing/server.ts';
import { createSoloFixture } from '@signpost/testing/solo.ts';
import autocannon from 'autocannon';
import { pack } from '../tools/release/pack.ts';

/** PostgreSQL is beside the process and not in its figures. */
const limits = { installedMb: 260, startSeconds: 2, idleMb: 250, busyMb: 340 };
const starts = 5;
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Safari/604.1';

/**
 * The packed server, installed into an empty folder as an operator does: its size there, how long `solo` takes to start,
 * and its memory, idle and at a steady rate of scans.
 */
export default async function bench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rate: { type: 'string', default: '1000' },
      seconds: { type: 'string', default: '60' },
      /** A folder that `npm install` has put the packed server into. */
      installed: { type: 'string' },
    },
  });
  const [rate, seconds] = [Number(values.rate), Number(values.seconds)];
  const folder = values.installed ? resolve(values.installed) : install();
  const solo = await createSoloFixture();
  try {
    const installedMb = Number.parseInt(execFileSync('du', ['-sm', folder], { encoding: 'utf8' }), 10);
    const program = join(folder, 'node_modules/signpost/apps/server/signpost.js');
    const start = () => TestServer.start('solo', solo.fixture.env, { program });
    // The first start only fills the compile cache. Of the others the shortest counts: it owes least to what else runs here.
    const times: number[] = [];
    let server = await start();
    for (let n = 0; n < starts; n++) {
      await server.end('SIGTERM');
      const startMs = performance.now();
      server = await start();
      times.push((performance.now() - startMs) / 1_000);
    }
    const { live: key } = await solo.fixture.account('enterprise');
    const body = { name: 'x', destination_url: 'https://example.com' };
    const { body: code } = await ask({ method: 'POST', url: `${server.url}/v1/qrcodes`, key, body });
    const measure = () => ({ process: memoryOf(server.pid), postgres: memoryOf(solo.postgres.pid) });
    await sleep(20_000);
    const idle = measure();
    let busy = idle;
    const timer = setInterval(() => {
      const now = measure();
      if (now.process.mb > busy.process.mb) busy = now;
    }, 1_000);
    const { requests, non2xx, errors } = await autocannon({
      url: `${server.url}/${code.short_code}`,
      connections: 50,
      overallRate: rate,
      duration: seconds,
      headers: { 'user-agent': phone },
    });
    clearInterval(timer);
    await server.end('SIGTERM');
    console.log(
      `starts ${times.map(time => time.toFixed(1)).join(', ')} s; load ${loadavg()[0]!.toFixed(1)}`,
    );
    console.log(`idle ${list(idle)}`);
    console.log(`busy ${list(busy)}`);
    const startSeconds = Math.min(...times);
    const megabytes = ({ mb }: Memory) => mb.toFixed(0);
    console.log(
      `small-box installed_mb ${installedMb} of ${limits.installedMb} start_s ${startSeconds.toFixed(1)} of ${limits.startSeconds} idle_mb ${megabytes(idle.process)} of ${limits.idleMb} busy_mb ${megabytes(busy.process)} of ${limits.busyMb} postgres_idle_mb ${megabytes(idle.postgres)} postgres_busy_mb ${megabytes(busy.postgres)} scans_per_s ${requests.average.toFixed(0)} redirected ${non2xx} errors ${errors}`,
    );
    const isInLimits =
      installedMb <= limits.installedMb &&
      startSeconds <= limits.startSeconds &&
      idle.process.mb <= limits.idleMb &&
      busy.process.mb <= limits.busyMb;
    // A machine that did not reach the rate has not shown what it takes.
    process.exitCode = isInLimits && errors === 0 && requests.average >= 0.9 * rate ? 0 : 1;
  } finally {
    await solo.close();
    if (!values.installed) rmSync(folder, { recursive: true });
  }
}

function install(): string {
  const quietly: ExecFileSyncOptions = { stdio: ['ignore', 'ignore', 'inherit'] };
  execFileSync('npm', ['run', 'build'], { cwd: resolve(import.meta.dirname, '..'), ...quietly });
  const folder = mkdtempSync(join(tmpdir(), 'signpost-small-box-'));
  writeFileSync(join(folder, 'package.json'), '{}');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', pack()], { cwd: folder, ...quietly });
  return folder;
}

const list = (parts: Readonly<Record<string, Memory>>): string =>
  Object.entries(parts)
    .map(([name, memory]) => `${name} ${describeMemory(memory)}`)
    .join(', ');
