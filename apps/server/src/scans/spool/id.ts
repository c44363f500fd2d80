import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const fileName = 'spool-id';

/**
 * The id of a spool's root directory, stored in it: the disk may be attached to another machine, and a container has a new
 * host name each time. Created if there is none. Call this each time instead of caching the result: if two processes
 * create it at once, only the file of one stays.
 */
export async function loadSpoolId(root: string): Promise<string> {
  const path = join(root, fileName);
  const known = await read(path);
  if (known) return known;
  const temporary = `${path}.${randomUUID()}`;
  try {
    await writeFile(temporary, randomUUID(), { mode: 0o600, flush: true });
    await rename(temporary, path);
  } catch (error) {
    // Or a full disk would get a file for every attempt.
    await rm(temporary, { force: true });
    throw error;
  }
  return (await read(path)) ?? Promise.reject(new Error(`${path} cannot be read`));
}

async function read(path: string): Promise<string | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return /^[0-9a-f-]{36}$/.test(text) ? text : null;
}
