import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { treeMemoryMb } from './tree-memory.ts';

const maxMb = 900;
const sampleMs = 100;

/**
 * What `npm run build` takes at most: it has to fit beside a running installation of 1 GB on a machine of 2 GB. The build has
 * the bundler's allocator give freed memory back at once (`MIMALLOC_PURGE_DELAY`); else it would take a fifth more.
 */
export default async function bench(): Promise<void> {
  const start = performance.now();
  const build = spawn('npm', ['run', 'build'], {
    cwd: resolve(import.meta.dirname, '..'),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let peakMb = 0;
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, treeMemoryMb([build.pid!]));
  }, sampleMs);
  const [code] = await once(build, 'exit');
  clearInterval(timer);
  const seconds = (performance.now() - start) / 1_000;
  console.log(
    `build exit ${code} seconds ${seconds.toFixed(0)} peak_mb ${peakMb.toFixed(0)} allowed_mb ${maxMb}`,
  );
  process.exitCode = code === 0 && peakMb <= maxMb ? 0 : 1;
}
