import { type FileHandle, open, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Clock } from '../kernel/clock.ts';
import { type SpoolDirectory, segmentEnding } from './spool-directory.ts';
import { packSeal } from './spool-records.ts';

/** Writes records into segments, one after the other. Calls must not overlap. */
export type SegmentWriter = {
  /**
   * Resolves when the records are on disk. Where it rejects, the segment is closed behind the last good record; one that
   * has none is removed, or a full disk would leave a file for every try.
   */
  write(records: Buffer, scans: number): Promise<void>;
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
  scans: number;
};

type Options = {
  readonly directory: SpoolDirectory;
  readonly clock: Clock;
  /** A segment that has grown to this is closed. */
  readonly segmentBytes: number;
  /** A segment is complete; `sealBytes` of it are its end. */
  readonly onSealed: (name: string, bytes: number, sealBytes: number, scans: number) => void;
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
    const begun = { name, handle, sinceMs, bytes: 0, scans: 0 };
    await directory.sync().catch(async error => {
      await discard(begun);
      throw error;
    });
    return begun;
  }

  async function discard({ name, handle }: Segment): Promise<void> {
    await handle.close().catch(() => undefined);
    await unlink(join(directory.path, name)).catch(() => undefined);
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
    const { name, handle, bytes, scans } = sealing;
    let sealBytes = 0;
    try {
      sealBytes = (await handle.write(packSeal(bytes), 0, undefined, bytes)).bytesWritten;
    } finally {
      onSealed(name, bytes + sealBytes, sealBytes, scans);
      closing = false;
      await handle.close();
    }
  }

  /** What was written of them is cut off, and nothing is ever written behind it: a reader stops at a torn record. */
  async function cutOff(failed: Segment): Promise<void> {
    if (failed.bytes === 0) {
      segment = null;
      await discard(failed);
      return;
    }
    await failed.handle.truncate(failed.bytes).catch(() => undefined);
    await seal().catch(() => undefined);
  }

  return {
    async write(records, scans) {
      segment ??= await begin();
      try {
        await writeAll(segment, records);
      } catch (error) {
        await cutOff(segment);
        throw error;
      }
      segment.bytes += records.length;
      segment.scans += scans;
      // The records are safe, whether or not there was room for the end behind them.
      if (segment.bytes >= segmentBytes) await seal().catch(() => undefined);
    },
    seal,
    isOpen: () => segment !== null || closing,
    sinceMs: () => segment?.sinceMs ?? null,
  };
}
