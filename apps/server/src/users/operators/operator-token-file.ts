import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isOperatorToken, newOperatorToken, type OperatorToken } from './operator-token.ts';

/** Beside the spool, so that all processes of one machine share the token. */
export const toTokenFilePath = (spoolDir: string): string => join(resolve(spoolDir), 'first-operator-token');

/** Reads the token, and creates it if there is none. */
export async function readOrCreateToken(path: string): Promise<OperatorToken> {
  const known = await readToken(path);
  if (known) return known;
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(draft, `${newOperatorToken()}\n`, { flag: 'wx', mode: 0o600 });
    // The link is atomic and fails if the file exists: of two processes that start together, one creates it.
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  const created = await readToken(path);
  if (!created) throw new Error(`${path} cannot be read back`);
  return created;
}

export const removeTokenFile = (path: string): Promise<void> => rm(path, { force: true });

/** Null if there is none. A file that other users could have read or written is deleted: they would know the token. */
async function readToken(path: string): Promise<OperatorToken | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ELOOP') return null;
      throw error;
    },
  );
  if (file) {
    try {
      const { mode, uid, size } = await file.stat();
      const isOurs = (mode & 0o777) === 0o600 && uid === process.getuid?.() && size < 100;
      const text = isOurs ? (await file.readFile('utf8')).trim() : '';
      if (isOperatorToken(text)) return text;
    } finally {
      await file.close();
    }
  }
  await rm(path, { force: true });
  return null;
}
