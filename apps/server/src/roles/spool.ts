import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Config } from '../config.ts';
import { AppError } from '../kernel/errors.ts';
import { readSpoolContents, type SpoolContents } from '../scans/spool-contents.ts';
import { isSpoolInUse } from '../scans/spool-directory.ts';
import type { Print } from './print.ts';
import { drainDirectory } from './spool-drain.ts';

export const spoolUsage = `signpost spool show [--dir DIR]          how many scans wait in SPOOL_DIR, and since when
signpost spool drain [--dir DIR]         sends on the scans that a stopped redirect left there; as often as you like,
                                         each is counted once`;

/** The spool of a process that does not run any more. Tells whether nothing is left to do. */
export async function runSpool(args: readonly string[], config: Config, print: Print): Promise<boolean> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { dir: { type: 'string' } },
  });
  const [command, ...more] = positionals;
  if ((command !== 'show' && command !== 'drain') || more.length > 0)
    throw new AppError('invalid_request', `Say what to do with the spool.\n\n${spoolUsage}`);
  const dir = resolve(values.dir ?? config.spoolDir);
  await requireDirectory(dir);
  const contents = await readSpoolContents(dir);
  const inUse = await isSpoolInUse(dir);
  if (command === 'show') {
    print(`${dir}: ${describe(contents)}.`);
    if (inUse) print('A running process of Signpost works on it.');
    else if (contents.segments > 0) print(`No process works on it: signpost spool drain --dir ${dir}`);
    return true;
  }
  if (inUse)
    throw new Error(
      `A running process of Signpost works on ${dir}: it sends on by itself what waits there. Stop it first if you want to do that by hand.`,
    );
  return drainDirectory({ dir, contents, config, print });
}

async function requireDirectory(dir: string): Promise<void> {
  const found = await stat(dir).catch(() => null);
  if (!found?.isDirectory())
    throw new AppError(
      'not_found',
      `There is no directory ${dir}. Name the SPOOL_DIR of the redirect by --dir.`,
    );
}

function describe({ segments, bytes, scans, oldestAtMs }: SpoolContents): string {
  if (segments === 0 || oldestAtMs === null) return 'nothing waits';
  const since = new Date(oldestAtMs).toISOString();
  return `${scans} scans in ${segments} files (${(bytes / 1024 / 1024).toFixed(1)} MB) wait, the oldest since ${since}`;
}
