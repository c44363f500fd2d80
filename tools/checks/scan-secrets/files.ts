import { closeSync, type Dirent, lstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { apiKeyLength, apiKeysIn, type FoundKey } from './api-key.ts';

/** Every regular file at or under a path. Links are not followed: their targets are scanned where they are. */
export function* filesUnder(path: string): Generator<string> {
  const stats = lstatSync(path);
  if (stats.isFile()) yield path;
  if (stats.isDirectory()) yield* filesIn(path);
}

function* filesIn(directory: string): Generator<string> {
  for (const entry of entriesOf(directory)) {
    const path = join(directory, entry.name);
    if (entry.isFile()) yield path;
    else if (entry.isDirectory()) yield* filesIn(path);
  }
}

/** A running database deletes files and directories while it is scanned. */
function entriesOf(directory: string): readonly Dirent[] {
  return unlessGone(() => readdirSync(directory, { withFileTypes: true })) ?? [];
}

export type Scanned = { readonly bytes: number; readonly keys: readonly FoundKey[] };

/** One byte less than a key: the overlap that finds a key across a chunk boundary exactly once. */
const overlap = apiKeyLength - 1;
const defaultBuffer = Buffer.alloc(1024 * 1024 + overlap);

/** Reads a file of any size in chunks; each chunk begins with the end of the previous one. */
export function scanFile(path: string, chunkBytes = defaultBuffer.length - overlap): Scanned {
  const file = unlessGone(() => openSync(path, 'r'));
  if (file === undefined) return { bytes: 0, keys: [] };
  const buffer = defaultBuffer.subarray(0, chunkBytes + overlap);
  const keys: FoundKey[] = [];
  let [bytes, carried] = [0, 0];
  try {
    for (;;) {
      const read = readSync(file, buffer, carried, chunkBytes, null);
      if (read === 0) return { bytes, keys };
      const piece = buffer.subarray(0, carried + read);
      const start = bytes - carried;
      keys.push(...apiKeysIn(piece).map(({ offset, masked }) => ({ offset: start + offset, masked })));
      bytes += read;
      carried = Math.min(piece.length, overlap);
      piece.copy(buffer, 0, piece.length - carried);
    }
  } finally {
    closeSync(file);
  }
}

function unlessGone<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
