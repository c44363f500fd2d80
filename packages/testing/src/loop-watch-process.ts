import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';
import type { LoopReading } from './loop-watch.ts';

const dir = process.env.LOOP_WATCH_DIR;

function watch(socketPath: string): void {
  const nothing: LoopReading = { turns: 0, cpuMs: 0, longestCpuMs: 0, longestWallMs: 0, rssMb: 0 };
  let reading = nothing;
  let [cpu, active] = [cpuMs(), activeMs()];

  function measureTurn(): void {
    const [nextCpu, nextActive] = [cpuMs(), activeMs()];
    const [turnCpu, turnWall] = [nextCpu - cpu, nextActive - active];
    [cpu, active] = [nextCpu, nextActive];
    reading = {
      turns: reading.turns + 1,
      cpuMs: reading.cpuMs + turnCpu,
      longestCpuMs: Math.max(reading.longestCpuMs, turnCpu),
      longestWallMs: Math.max(reading.longestWallMs, turnWall),
      // Reading the memory takes longer than all else here.
      rssMb: turnCpu > 1 ? Math.max(reading.rssMb, rssMb()) : reading.rssMb,
    };
    next();
  }
  // Once per turn, after the poll. Without a reference, so that the loop still waits for events instead of spinning.
  const next = () => void setImmediate(measureTurn).unref();
  next();

  // `solo` replaces itself at its start, under the same process id.
  rmSync(socketPath, { force: true });
  createServer((_request, response) => {
    response.end(JSON.stringify({ ...reading, rssMb: Math.max(reading.rssMb, rssMb()) }));
    reading = nothing;
  })
    .listen(socketPath)
    .unref();
}

/** Of this thread alone, garbage collection on it included. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Time that the loop did not wait for events. */
const activeMs = () => performance.eventLoopUtilization().active;

const rssMb = () => process.memoryUsage.rss() / 1024 / 1024;

/** Loaded into a server by `--import`: measures each turn of its event loop. Threads of the server load it too. */
if (isMainThread && dir !== undefined) watch(join(dir, String(process.pid)));
