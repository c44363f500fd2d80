import { randomBytes, randomUUID } from 'node:crypto';
import { open, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { poll } from '../../platform/background-jobs.ts';
import type { SpoolDisk } from './disk.ts';

/**
 * A file under the root of the spool that takes space for nothing. When the disk is full it is deleted, and scans are written
 * into the space that it had. It is created again when there is room.
 */
export type SpoolReserve = {
  /** 0 while there is none. */
  bytes(): number;
  /** Gives the space back. */
  stop(): Promise<void>;
};

type Options = {
  readonly root: string;
  readonly bytes: number;
  readonly disk: Pick<SpoolDisk, 'freeBytes'>;
  /** It was deleted to make room: by this process, or by another one on this disk. */
  readonly onReleased: () => void;
  readonly onError: (error: unknown) => void;
  readonly everyMs?: number;
};

const fileName = 'reserve';
const temporarySuffix = '.tmp';
const chunkBytes = 1024 * 1024;

/** The reserve leaves as much space free as it takes, or it would itself fill the disk. */
const minFreeRatio = 2;

/** Processes that share the root share the reserve. */
export function keepReserve(options: Options): SpoolReserve {
  const { root, bytes, disk, onReleased, onError, everyMs = 2_000 } = options;
  let current = 0;
  let isFirst = true;
  async function look(): Promise<void> {
    if (isFirst) await removeTemporaryFiles(root);
    isFirst = false;
    const found = await sizeOfReserve(root);
    if (found < current) onReleased();
    current = found;
    // Free space that is not known is NaN.
    if (current >= bytes || !(disk.freeBytes() >= minFreeRatio * bytes)) return;
    await create(root, bytes);
    current = bytes;
  }
  const stopLooking = poll(everyMs, () => look().catch(onError));
  return {
    bytes: () => current,
    async stop() {
      await stopLooking();
      await releaseReserve(root);
    },
  };
}

/** Gives the space of the reserve back to the disk; whether there was any. */
export async function releaseReserve(root: string): Promise<boolean> {
  return unlink(join(root, fileName)).then(
    () => true,
    () => false,
  );
}

async function create(root: string, bytes: number): Promise<void> {
  const path = join(root, fileName);
  const temporary = `${path}.${randomUUID()}${temporarySuffix}`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      // Random, because a file system may store zeros in no space at all. Not synced: a write takes the space at once.
      for (let left = bytes; left > 0; left -= chunkBytes)
        await file.appendFile(randomBytes(Math.min(left, chunkBytes)));
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Removes what a killed process has left. Another process may be writing just now; it tries again. */
async function removeTemporaryFiles(root: string): Promise<void> {
  const names = await readdir(root);
  for (const name of names)
    if (name.startsWith(`${fileName}.`) && name.endsWith(temporarySuffix))
      await rm(join(root, name), { force: true });
}

async function sizeOfReserve(root: string): Promise<number> {
  return stat(join(root, fileName)).then(
    ({ size }) => size,
    () => 0,
  );
}
