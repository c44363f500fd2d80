import { type FileHandle, open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Clock } from '../kernel/clock.ts';
import { type SpoolDirectory, segmentEnding } from './spool-directory.ts';
import { packSeal } from './spool-records.ts';

/** Writes records into segments, one after the other. Calls must not overlap. */
export type SegmentWriter = {
  /** Resolves when the records are on disk. Where it rejects, the segment is closed behind the last good record. */
  write(records: Buffer): Promise<void>;
  /** Closes the segment that is being written, if there is one. */
  seal(): Promise<void>;
  isOpen(): boolean;
  /** When the segment that is being written was begun; null where there is none. */
  sinceMs(): number | null;
};

type Segment = {
  readonly name: string;
  readonly handle: FileHandle;
  readonly sinceMs: number;
  bytes: number;
};

type Options = {
  readonly directory: SpoolDirectory;
  readonly clock: Clock;
  /** A segment that has grown to this is closed. */
  readonly segmentBytes: number;
  /** A segment is complete; `sealBytes` of it are its end. */
  readonly onSealed: (name: string, bytes: number, sealBytes: number) => void;
};

export function createSegmentWriter({ directory, clock, segmentBytes, onSealed }: Options): SegmentWriter {
  let segment: Segment | null = null;
  /** Not yet complete: it must be seen until it is, or the spool would look empty in between. */
  let closing = false;
  let serial = 0;

  async function begin(): Promise<Segment> {
    // Names sort by time, also among those of other processes, and never meet.
    const sinceMs = clock.now().getTime();
    const time = String(sinceMs).padStart(14, '0');
    const name = `${time}-${String(++serial).padStart(8, '0')}-${basename(directory.path)}${segmentEnding}`;
    const handle = await open(join(directory.path, name), 'wx', 0o600);
    await directory.sync();
    return { name, handle, sinceMs, bytes: 0 };
  }

  async function writeAll({ handle, bytes }: Segment, records: Buffer): Promise<void> {
    for (let done = 0; done < records.length; ) {
      const { bytesWritten } = await handle.write(records, done, records.length - done, bytes + done);
      if (bytesWritten === 0) throw new Error('The disk took nothing');
      done += bytesWritten;
    }
    await handle.datasync();
  }

  async function seal(): Promise<void> {
    const sealing = segment;
    segment = null;
    if (!sealing) return;
    closing = true;
    const { name, handle, bytes } = sealing;
    let sealBytes = 0;
    try {
      sealBytes = (await handle.write(packSeal(bytes), 0, undefined, bytes)).bytesWritten;
    } finally {
      onSealed(name, bytes + sealBytes, sealBytes);
      closing = false;
      await handle.close();
    }
  }

  return {
    async write(records) {
      segment ??= await begin();
      try {
        await writeAll(segment, records);
      } catch (error) {
        // What was written of them is cut off, and nothing is ever written behind it: a reader stops at a torn record.
        await segment.handle.truncate(segment.bytes).catch(() => undefined);
        await seal().catch(() => undefined);
        throw error;
      }
      segment.bytes += records.length;
      if (segment.bytes >= segmentBytes) await seal();
    },
    seal,
    isOpen: () => segment !== null || closing,
    sinceMs: () => segment?.sinceMs ?? null,
  };
}
