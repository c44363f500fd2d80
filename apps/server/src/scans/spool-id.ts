import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const fileName = 'spool-id';

/**
 * The name of a spool's root directory, kept in it: the disk may come back on another machine, and a container has
 * another host name each time. Made where there is none. Ask each time instead of keeping it: of two processes that make
 * it at once, the file of one stays.
 */
export async function spoolIdOf(root: string): Promise<string> {
  const path = join(root, fileName);
  const known = await read(path);
  if (known) return known;
  const made = `${path}.${randomUUID()}`;
  try {
    await writeFile(made, randomUUID(), { mode: 0o600, flush: true });
    await rename(made, path);
  } catch (error) {
    // A full disk must not get a file for every try.
    await rm(made, { force: true });
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
