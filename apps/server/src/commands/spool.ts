import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Config } from '../config/config.ts';
import { AppError } from '../kernel/errors.ts';
import type { Print } from '../kernel/print.ts';
import { readSpoolContents, type SpoolContents } from '../scans/spool/contents.ts';
import { isSpoolInUse } from '../scans/spool/directory.ts';
import { drainDirectory } from './spool-drain.ts';

export const spoolUsage = `signpost spool show [--dir DIR]          how many scans are waiting in SPOOL_DIR, and since when
signpost spool drain [--dir DIR]         sends the scans that a stopped redirect left there; safe to run again, since
                                         each scan is counted once`;

/** Works on the spool of a process that no longer runs. Returns whether nothing is left to do. */
export async function runSpool(args: readonly string[], config: Config, print: Print): Promise<boolean> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { dir: { type: 'string' } },
  });
  const [command, ...rest] = positionals;
  if ((command !== 'show' && command !== 'drain') || rest.length > 0)
    throw new AppError('invalid_request', `Say show or drain.\n\n${spoolUsage}`);
  const dir = resolve(values.dir ?? config.spoolDir);
  await requireDirectory(dir);
  const contents = await readSpoolContents(dir);
  const inUse = await isSpoolInUse(dir);
  if (command === 'show') {
    print(`${dir}: ${describe(contents)}.`);
    if (inUse) print('A running Signpost process is using it.');
    else if (contents.segments > 0)
      print(`No process is using it. To send the scans: signpost spool drain --dir ${dir}`);
    return true;
  }
  if (inUse)
    throw new Error(
      `A running Signpost process is using ${dir} and sends the scans there by itself. Stop it first to send them by hand.`,
    );
  if (config.natsUrl === '') throw new Error('Set NATS_URL: the scans are sent to its log.');
  return drainDirectory({ dir, contents, config, print });
}

async function requireDirectory(dir: string): Promise<void> {
  const found = await stat(dir).catch(() => null);
  if (!found?.isDirectory())
    throw new AppError(
      'not_found',
      `There is no directory ${dir}. Name the SPOOL_DIR of the redirect with --dir.`,
    );
}

function describe({ segments, bytes, scans, oldestAtMs }: SpoolContents): string {
  if (segments === 0 || oldestAtMs === null) return 'no scans are waiting';
  const since = new Date(oldestAtMs).toISOString();
  return `${scans} scans in ${segments} files (${(bytes / 1024 / 1024).toFixed(1)} MB) are waiting, the oldest since ${since}`;
}
