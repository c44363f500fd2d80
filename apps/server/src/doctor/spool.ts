import { readdir, stat, statfs, unlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isSolo } from '../kernel/addresses/engine-address.ts';
import { logDirectory } from '../scans/file-log/file-log.ts';
import { segmentExtension } from '../scans/spool/directory.ts';
import type { DoctorContext } from './context.ts';
import { describeError, type Outcome, ok, problem, warning } from './finding.ts';

const megabyte = 1024 * 1024;
/** A smaller spool or scan log works, but a busy minute without NATS or PostgreSQL fills it. */
const advisedMb = 16;
/** The kernel limits the path of a socket to 108 bytes, 104 on a Mac; a process adds 25 bytes to the spool's path. */
const maxPathBytes = 104 - 25;

/** Whether there is room for scans while the log is down. */
export async function checkDisk({ config }: Pick<DoctorContext, 'config'>): Promise<Outcome> {
  const dir = resolve(config.spoolDir);
  if (Buffer.byteLength(dir) > maxPathBytes)
    return problem(
      `SPOOL_DIR has ${Buffer.byteLength(dir)} bytes: too long for the lock of a process`,
      `Choose a path of at most ${maxPathBytes} bytes.`,
    );
  try {
    const existing = await nearestExisting(dir);
    await requireWritable(existing);
    const { bavail, bsize } = await statfs(existing);
    const freeMb = Math.floor((bavail * bsize) / megabyte);
    return assessDiskSpace(dir, freeMb, config.spoolMaxMb);
  } catch (error) {
    return problem(
      `${dir} cannot be written: ${describeError(error)}`,
      'Make the user that runs Signpost its owner.',
    );
  }
}

export function assessDiskSpace(dir: string, freeMb: number, spoolMaxMb: number): Outcome {
  const found = `${dir}: ${freeMb} MB free, a process may use ${spoolMaxMb} MB`;
  if (freeMb >= spoolMaxMb)
    return spoolMaxMb >= advisedMb
      ? ok(found)
      : warning(found, `Set SPOOL_MAX_MB to ${advisedMb} at least: 1 MB holds about 9,000 scans.`);
  const next = `Free some space, choose a larger disk for SPOOL_DIR, or lower SPOOL_MAX_MB, to ${advisedMb} at least. 1 MB holds about 9,000 scans.`;
  return freeMb < spoolMaxMb / 10 ? problem(found, next) : warning(found, next);
}

/** By writing a file: a read-only file system refuses even a user whom the permissions let in. */
async function requireWritable(dir: string): Promise<void> {
  const probe = join(dir, `.doctor-${process.pid}`);
  await writeFile(probe, '', { flag: 'wx' });
  await unlink(probe);
}

/** The directory is created at the first start; until then its parent shows the free space. */
async function nearestExisting(dir: string): Promise<string> {
  return stat(dir).then(
    () => dir,
    error => {
      if (dirname(dir) === dir || error.code !== 'ENOENT') throw error;
      return nearestExisting(dirname(dir));
    },
  );
}

/** Scans on this machine's disk that wait for the log. */
export async function checkBacklog({ config }: Pick<DoctorContext, 'config'>): Promise<Outcome> {
  const waiting = await listSegments(resolve(config.spoolDir), isSolo(config));
  if (waiting.length === 0) return ok('no scans are waiting');
  const bytes = waiting.reduce((sum, segment) => sum + segment.bytes, 0);
  const seconds = Math.round((Date.now() - Math.min(...waiting.map(segment => segment.atMs))) / 1_000);
  const found = `${(bytes / megabyte).toFixed(1)} MB of scans are waiting, the oldest for ${seconds} s`;
  if (seconds < 60) return ok(found);
  return warning(
    found,
    'A running redirect sends them as soon as NATS accepts them: is one running, and is NATS up? If none will run here again: signpost spool drain.',
  );
}

/** The log of `signpost solo` is in the same place and format; its segments wait for nothing while it is in use. */
async function listSegments(root: string, hasLog: boolean) {
  const names = await readdir(root, { recursive: true }).catch(() => []);
  const found = names
    .filter(name => name.endsWith(segmentExtension) && !(hasLog && name.startsWith(`${logDirectory}/`)))
    .map(name =>
      stat(join(root, name)).then(({ size, birthtimeMs, mtimeMs }) => ({
        bytes: size,
        atMs: Math.min(birthtimeMs || mtimeMs, mtimeMs),
      })),
    );
  // A segment may be sent and removed while this runs.
  return (await Promise.allSettled(found)).flatMap(result =>
    result.status === 'fulfilled' ? [result.value] : [],
  );
}
