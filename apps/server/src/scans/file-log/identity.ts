import { open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onDisk } from '../log/known-logs.ts';

const fileName = 'created';

/**
 * When the log was created, which tells it from any other. A directory without segments is a new log, whatever it was before:
 * the last segment of a log is never trimmed, so another process has taken them all.
 */
export async function loadCreatedAt(directory: string, isEmpty: boolean, now: Date): Promise<string> {
  const path = join(directory, fileName);
  const known = isEmpty ? '' : await readFile(path, 'utf8').catch(ignoreAbsent);
  if (/^\d{4}-\d\d-\d\dT/.test(known)) return known;
  const created = now.toISOString() + onDisk;
  const temporary = `${path}.new`;
  await writeFile(temporary, created, { mode: 0o600, flush: true });
  await rename(temporary, path);
  const handle = await open(directory, 'r');
  await handle.sync();
  await handle.close();
  return created;
}

function ignoreAbsent(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}
