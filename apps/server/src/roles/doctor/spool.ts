import { constants } from 'node:fs';
import { access, readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { segmentEnding } from '../../scans/spool-directory.ts';
import { type Outcome, ok, problem, warning, wordsOf } from './finding.ts';
import type { Patient } from './patient.ts';

const megabyte = 1024 * 1024;
/** The kernel's limit for the path of a socket is 108 bytes, 104 on a Mac; a process adds 25 to the spool's. */
const longestPath = 104 - 25;

/** Whether there is room for scans while the log is away. */
export async function checkDisk({ config }: Pick<Patient, 'config'>): Promise<Outcome> {
  const dir = resolve(config.spoolDir);
  if (Buffer.byteLength(dir) > longestPath)
    return problem(
      `SPOOL_DIR has ${Buffer.byteLength(dir)} bytes: a process cannot keep its lock there`,
      `Choose a path of at most ${longestPath} bytes.`,
    );
  try {
    const place = await nearest(dir);
    await access(place, constants.W_OK);
    const { bavail, bsize } = await statfs(place);
    const freeMb = Math.floor((bavail * bsize) / megabyte);
    return judgeRoom(dir, freeMb, config.spoolMaxMb);
  } catch (error) {
    return problem(`${dir} cannot be written: ${wordsOf(error)}`, 'Give it to the user that runs Signpost.');
  }
}

export function judgeRoom(dir: string, freeMb: number, spoolMaxMb: number): Outcome {
  const found = `${dir}: ${freeMb} MB free, a process may spool ${spoolMaxMb} MB`;
  if (freeMb >= spoolMaxMb) return ok(found);
  const next =
    'Make room, choose a larger disk for SPOOL_DIR, or lower SPOOL_MAX_MB. 1 MB holds about 9,000 scans.';
  return freeMb < spoolMaxMb / 10 ? problem(found, next) : warning(found, next);
}

/** It is made at the first start; until then its parent tells. */
async function nearest(dir: string): Promise<string> {
  return stat(dir).then(
    () => dir,
    error => {
      if (dirname(dir) === dir || error.code !== 'ENOENT') throw error;
      return nearest(dirname(dir));
    },
  );
}

/** Scans that wait on this machine's disk for the log. */
export async function checkBacklog({ config }: Pick<Patient, 'config'>): Promise<Outcome> {
  const waiting = await segmentsIn(resolve(config.spoolDir));
  if (waiting.length === 0) return ok('nothing waits');
  const bytes = waiting.reduce((sum, one) => sum + one.bytes, 0);
  const seconds = Math.round((Date.now() - Math.min(...waiting.map(one => one.atMs))) / 1_000);
  const found = `${(bytes / megabyte).toFixed(1)} MB of scans wait, the oldest for ${seconds} s`;
  if (seconds < 60) return ok(found);
  return warning(
    found,
    'They are sent on by a running redirect as soon as NATS takes them: is one running, is NATS up? Where none will run here again: signpost spool drain.',
  );
}

async function segmentsIn(root: string) {
  const names = await readdir(root, { recursive: true }).catch(() => []);
  const found = names
    .filter(name => name.endsWith(segmentEnding))
    .map(name =>
      stat(join(root, name)).then(({ size, birthtimeMs, mtimeMs }) => ({
        bytes: size,
        atMs: Math.min(birthtimeMs || mtimeMs, mtimeMs),
      })),
    );
  // One that is sent on while we look is gone, as it should be.
  return (await Promise.allSettled(found)).flatMap(one => (one.status === 'fulfilled' ? [one.value] : []));
}
