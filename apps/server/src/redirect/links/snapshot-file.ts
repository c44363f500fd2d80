import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * The file of a snapshot, one line of JSON each: the header, the number of the last known stop, the stops, the domains, the
 * links. The last line is a checksum of all others.
 */
export const snapshotName = 'links.snapshot';
const temporarySuffix = '.tmp';

const format = 'signpost links 5';
/** A stop has this many fields, and so has a domain; a link has more. */
export const stopFields = 3;

/** An older snapshot is not used. */
export const maxAgeMs = 24 * 60 * 60 * 1000;

type Header = { readonly atMs: number; readonly isServable: boolean };

export const headerLine = (atMs: number, installation: string): string =>
  `${JSON.stringify([format, atMs, installation])}\n`;

/** Writes beside the old file and then replaces it: a process that is killed leaves the old one intact. */
export async function writeSnapshotFile(dir: string, chunks: AsyncIterable<string>): Promise<void> {
  const path = join(dir, snapshotName);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomUUID()}${temporarySuffix}`;
  try {
    const file = await open(temporary, 'w', 0o600);
    try {
      const digest = createHash('sha256');
      for await (const chunk of chunks) {
        digest.update(chunk);
        await file.write(chunk);
      }
      await file.write(`${digest.digest('hex')}\n`);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Removes what a killed process has left. Another process may be writing just now; it tries again in a minute. */
export async function removeTemporaryFiles(dir: string): Promise<void> {
  const names = await readdir(dir).catch(() => []);
  const leftover = names.filter(name => name.startsWith(snapshotName) && name.endsWith(temporarySuffix));
  for (const name of leftover) await rm(join(dir, name), { force: true });
}

/** The lines after the header, without the checksum. */
export async function* readEntries(dir: string): AsyncGenerator<unknown[]> {
  let isHeader = true;
  for await (const line of readLines(join(dir, snapshotName))) {
    if (!isHeader && line.startsWith('[')) yield JSON.parse(line);
    isHeader = false;
  }
}

/** The header where the file is intact and may be used, otherwise the reason why not. */
export async function readHeader(dir: string, installation: string, nowMs: number): Promise<Header | string> {
  const digest = createHash('sha256');
  let first = '';
  let lastEntry = '';
  let last = '';
  try {
    for await (const line of readLines(join(dir, snapshotName))) {
      first ||= line;
      if (line.startsWith('[')) {
        digest.update(`${line}\n`);
        lastEntry = line;
      } else last = line;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'none';
    throw error;
  }
  if (last !== digest.digest('hex')) return 'its checksum is wrong';
  const [name, atMs, writtenBy] = JSON.parse(first);
  if (name !== format) return 'another version has written it';
  if (writtenBy !== installation) return 'it belongs to another installation';
  if (Math.abs(nowMs - atMs) > maxAgeMs) return 'it is more than a day old';
  // Stops come first: where the last entry is none, there are links or domains.
  const [, reasonOrDomain, ...more] = JSON.parse(lastEntry);
  const isDomain = typeof reasonOrDomain === 'object' && reasonOrDomain !== null;
  return { atMs, isServable: isDomain || more.length > stopFields - 2 };
}

/** Whether there is a snapshot that a process of this installation could serve from. */
export async function hasSnapshot(dir: string, installation: string, nowMs: number): Promise<boolean> {
  try {
    const header = await readHeader(dir, installation, nowMs);
    return typeof header !== 'string' && header.isServable;
  } catch {
    // A file that cannot be read cannot be served from.
    return false;
  }
}

const readLines = (path: string) => createInterface({ input: createReadStream(path), crlfDelay: Infinity });
