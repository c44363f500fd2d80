import { type FileHandle, open, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import { type SpoolDirectory, segmentExtension } from './directory.ts';
import { isNoSpace } from './no-space.ts';
import { packSeal } from './records.ts';

/** Writes records to segments, one after the other. Calls must not overlap. */
export type SegmentWriter = {
  /**
   * Resolves when the records are on disk. If it rejects, the segment is sealed after its last good record; one without
   * any is removed, or a full disk would get a file for every attempt. A full disk is tried again if `freeSpace` could free
   * some. `onWritten` gets the name of the segment, before that is sealed.
   */
  write(records: Buffer, scans: number, onWritten?: (name: string) => void): Promise<void>;
  /** Ends the segment that is being written, if there is one. */
  seal(): Promise<void>;
  isOpen(): boolean;
  /** When the segment that is being written was started; null if there is none. */
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
  /** Names a segment that begins at this time; it must be unique. By default the names count up. */
  readonly nameSegment?: (time: string) => string;
  /** A segment is sealed at this size. */
  readonly segmentBytes: number;
  /** Tells the segments of two writers in one directory apart. */
  readonly label?: string;
  /** Frees space on a full disk; whether it could. By default there is nothing to free. */
  readonly freeSpace?: (() => Promise<boolean>) | undefined;
  /** A segment is complete; `sealBytes` of it are its end marker. */
  readonly onSealed: (name: string, bytes: number, sealBytes: number, scans: number) => void;
};

export function createSegmentWriter(options: Options): SegmentWriter {
  const { directory, clock, segmentBytes, label = '', onSealed, freeSpace } = options;
  const owner = basename(directory.path) + label;
  const { nameSegment = time => `${time}-${String(++serial).padStart(8, '0')}-${owner}` } = options;
  let segment: Segment | null = null;
  /** A segment being sealed still counts as open, or the spool would look empty in between. */
  let isSealing = false;
  let serial = 0;

  async function start(): Promise<Segment> {
    // Names sort by time, also across processes, and are unique.
    const sinceMs = clock.now().getTime();
    const name = `${nameSegment(String(sinceMs).padStart(14, '0'))}${segmentExtension}`;
    await directory.ensure();
    const handle = await open(join(directory.path, name), 'wx', 0o600);
    const started = { name, handle, sinceMs, bytes: 0, scans: 0 };
    await directory.sync().catch(async error => {
      await discard(started);
      throw error;
    });
    return started;
  }

  async function discard({ name, handle }: Segment): Promise<void> {
    await handle.close().catch(() => undefined);
    await unlink(join(directory.path, name)).catch(() => undefined);
  }

  async function writeAll({ handle, bytes }: Segment, records: Buffer): Promise<void> {
    for (let written = 0; written < records.length; ) {
      const { bytesWritten } = await handle.write(
        records,
        written,
        records.length - written,
        bytes + written,
      );
      if (bytesWritten === 0) throw new Error('The disk wrote no bytes');
      written += bytesWritten;
    }
    await handle.datasync();
  }

  async function seal(): Promise<void> {
    const sealing = segment;
    segment = null;
    if (!sealing) return;
    isSealing = true;
    const { name, handle, bytes, scans } = sealing;
    let sealBytes = 0;
    try {
      sealBytes = (await handle.write(packSeal(bytes), 0, undefined, bytes)).bytesWritten;
    } finally {
      onSealed(name, bytes + sealBytes, sealBytes, scans);
      isSealing = false;
      await handle.close();
    }
  }

  /** Truncates what was written of them and seals the segment: a reader stops at a torn record. */
  async function rollBack(failed: Segment): Promise<void> {
    if (failed.bytes === 0) {
      segment = null;
      await discard(failed);
      return;
    }
    await failed.handle.truncate(failed.bytes).catch(() => undefined);
    await seal().catch(() => undefined);
  }

  async function write(records: Buffer): Promise<Segment> {
    segment ??= await start();
    const current = segment;
    try {
      await writeAll(current, records);
    } catch (error) {
      await rollBack(current);
      throw error;
    }
    return current;
  }

  return {
    async write(records, scans, onWritten) {
      const written = await write(records).catch(async error => {
        if (!isNoSpace(error) || !(await freeSpace?.())) throw error;
        return write(records);
      });
      written.bytes += records.length;
      written.scans += scans;
      onWritten?.(written.name);
      // The records are safe, even if there was no room for the end marker.
      if (written.bytes >= segmentBytes) await seal().catch(() => undefined);
    },
    seal,
    isOpen: () => segment !== null || isSealing,
    sinceMs: () => segment?.sinceMs ?? null,
  };
}
