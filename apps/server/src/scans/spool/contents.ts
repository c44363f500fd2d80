import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { countScans } from '../log/format/batch.ts';
import { segmentExtension } from './directory.ts';
import { unpackRecords } from './records.ts';

/** What is spooled under a root, in the directories of all processes. */
export type SpoolContents = {
  readonly segments: number;
  readonly bytes: number;
  readonly batches: number;
  readonly scans: number;
  /** When the oldest segment was started; null if nothing is spooled. */
  readonly oldestAtMs: number | null;
};

/** Reads every segment. One that is replayed in the meantime is deleted, and skipped here. */
export async function readSpoolContents(root: string): Promise<SpoolContents> {
  let [segments, bytes, batches, scans] = [0, 0, 0, 0];
  let oldestAtMs: number | null = null;
  const names = await readdir(root, { recursive: true });
  for (const name of names.filter(entry => entry.endsWith(segmentExtension))) {
    const file = await readFile(join(root, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (!file) continue;
    const { records } = unpackRecords(file);
    segments++;
    bytes += file.length;
    batches += records.length;
    scans += records.reduce((sum, record) => sum + countScans(record), 0);
    // The name of a segment begins with its time.
    const atMs = Number.parseInt(name.slice(name.lastIndexOf('/') + 1), 10);
    if (!Number.isNaN(atMs)) oldestAtMs = Math.min(oldestAtMs ?? atMs, atMs);
  }
  return { segments, bytes, batches, scans, oldestAtMs };
}
