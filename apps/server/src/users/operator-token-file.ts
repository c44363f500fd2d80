import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isOperatorToken, newOperatorToken, type OperatorToken } from './operator-token.ts';

/** Where the token of this machine lies, beside the spool: processes of one machine share it. */
export const tokenFileOf = (spoolDir: string): string => join(resolve(spoolDir), 'first-operator-token');

/** The token of the file, made where there is none. */
export async function readOrMakeToken(path: string): Promise<OperatorToken> {
  const known = await readToken(path);
  if (known) return known;
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(draft, `${newOperatorToken()}\n`, { flag: 'wx', mode: 0o600 });
    // It appears whole, and only where none is: of two processes that start together one makes it.
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  const made = await readToken(path);
  if (!made) throw new Error(`${path} cannot be read back`);
  return made;
}

export const removeTokenFile = (path: string): Promise<void> => rm(path, { force: true });

/** Null where there is none. What others could have read or put there is thrown away: whoever did would know the token. */
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
