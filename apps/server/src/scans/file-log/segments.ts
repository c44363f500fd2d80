import { open, readdir, readFile, stat, truncate, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogEntry } from '../log/format/entry.ts';
import { segmentExtension } from '../spool/directory.ts';
import { readRecord } from '../spool/records.ts';
import { entryFrom, type SegmentRecord } from './entries.ts';

/** A file of the log: the entries from `first` on, one record each. */
export type LogSegment = {
  readonly name: string;
  readonly first: number;
  readonly sinceMs: number;
  /** Entries that are on disk. */
  count: number;
  bytes: number;
};

/** Names sort by time, as those of the spool do, and say which position comes first. */
export const segmentName = (time: string, first: number) => `${time}-${String(first).padStart(12, '0')}-log`;

const namePattern = new RegExp(`^(\\d{14})-(\\d{12,})-log\\${segmentExtension}$`);

/**
 * The segments in a directory, by position. What lies behind the last whole record of the last one is cut off: a record that
 * was being written when the process or the power failed. Nobody got an answer for it.
 */
export async function readSegments(directory: string): Promise<LogSegment[]> {
  const segments: LogSegment[] = [];
  for (const name of await readdir(directory)) {
    const [, time, first] = namePattern.exec(name) ?? [];
    if (time === undefined || first === undefined) continue;
    const { size } = await stat(join(directory, name));
    segments.push({ name, first: Number(first), sinceMs: Number(time), count: 0, bytes: size });
  }
  segments.sort((a, b) => a.first - b.first);
  for (const [index, segment] of segments.entries()) {
    const next = segments[index + 1];
    // A write that failed may have left records behind: the next segment says where this one ends.
    if (next) segment.count = next.first - segment.first;
    else await cutOff(directory, segment);
  }
  const last = segments.at(-1);
  if (last?.count !== 0 || !last) return segments;
  await unlink(join(directory, last.name));
  return segments.slice(0, -1);
}

async function cutOff(directory: string, segment: LogSegment): Promise<void> {
  const path = join(directory, segment.name);
  const file = await readFile(path);
  let [at, count, isSealed] = [0, 0, false];
  for (let next = readRecord(file, 0, 0); next.kind !== 'end'; next = readRecord(file, at, at)) {
    at = next.end;
    isSealed = next.kind === 'seal';
    if (isSealed) break;
    count++;
  }
  if (at < file.length && !isSealed) await truncate(path, at);
  Object.assign(segment, { count, bytes: at });
}

/** The segments of an open log, in the order of their positions. */
export type Segments = {
  firstPosition(): number;
  /** 0 if the log is empty. */
  lastPosition(): number;
  bytes(): number;
  /** The segment that has an entry; null if none has. */
  holding(position: number): LogSegment | null;
  /** Some records of a segment from an offset on; none at its end. */
  recordsAt(segment: LogSegment, offset: number): Promise<SegmentRecord[]>;
  entryAt(position: number): Promise<LogEntry | null>;
  /** A segment begins at this time; returns its first position. */
  begin(time: string): number;
  /** The last segment has more entries on disk. */
  added(entries: number, bytes: number): void;
  sealed(name: string, bytes: number): void;
  /** Forgets a segment that was begun for a write that failed. */
  dropEmpty(): void;
  /** Removes whole segments before the position, and returns how many entries they had. The last one with entries stays. */
  removeBefore(position: number): Promise<number>;
  /** The first position of the oldest segment that has entries newer than this. */
  keepFrom(olderThanMs: number): number;
  /** The first position of the oldest segment that stays if the log is trimmed to this size. */
  keepWithin(maxBytes: number): number;
};

export function createSegments(directory: string, found: readonly LogSegment[]): Segments {
  const segments = [...found];
  const toPath = ({ name }: LogSegment) => join(directory, name);
  const lastPosition = () => {
    const last = segments.at(-1);
    return last ? last.first + last.count - 1 : 0;
  };
  // The last one first: it is asked for most.
  const holding = (position: number) =>
    segments.findLast(({ first, count }) => position >= first && position < first + count) ?? null;
  const recordsAt = (segment: LogSegment, offset: number) =>
    readChunk(toPath(segment), offset, segment.bytes);
  const dropEmpty = () => {
    if (segments.at(-1)?.count === 0) segments.pop();
  };
  return {
    firstPosition: () => segments[0]?.first ?? 1,
    lastPosition,
    bytes: () => segments.reduce((sum, { bytes }) => sum + bytes, 0),
    holding,
    recordsAt,
    async entryAt(position) {
      const segment = holding(position);
      if (!segment) return null;
      let [before, offset] = [segment.first - 1, 0];
      for (;;) {
        const records = await recordsAt(segment, offset);
        const record = records[position - before - 1];
        if (record) return entryFrom(position, record);
        if (records.length === 0) return null;
        before += records.length;
        offset = records.at(-1)!.end;
      }
    },
    begin(time) {
      // Left by a write that failed and is now tried again.
      dropEmpty();
      const first = lastPosition() + 1;
      const name = `${segmentName(time, first)}${segmentExtension}`;
      segments.push({ name, first, sinceMs: Number(time), count: 0, bytes: 0 });
      return first;
    },
    added(entries, bytes) {
      const last = segments.at(-1)!;
      last.count += entries;
      last.bytes += bytes;
    },
    sealed(name, bytes) {
      const segment = segments.find(each => each.name === name);
      if (segment) segment.bytes = bytes;
    },
    dropEmpty,
    async removeBefore(position) {
      let removed = 0;
      for (;;) {
        const [oldest, next] = segments;
        // A segment without entries is only being started, and may be dropped again.
        if (!oldest || !next || next.count === 0 || oldest.first + oldest.count > position) return removed;
        await unlink(toPath(oldest));
        segments.shift();
        removed += oldest.count;
      }
    },
    keepFrom(olderThanMs) {
      // The last entry of a segment is older than the next segment.
      const kept = segments.findIndex(
        (_, index) => (segments[index + 1]?.sinceMs ?? Number.POSITIVE_INFINITY) >= olderThanMs,
      );
      return segments[kept]?.first ?? 0;
    },
    keepWithin(maxBytes) {
      let bytes = 0;
      const trimmed = segments.findLastIndex(segment => {
        bytes += segment.bytes;
        return bytes > maxBytes;
      });
      return (segments[trimmed + 1] ?? segments.at(-1))?.first ?? 0;
    },
  };
}

const chunkBytes = 256 * 1024;

/**
 * Records from an offset on, up to `limit` bytes of the file, until the chunk that was read is used up. Empty at the end.
 * A record that is larger than a chunk is read in a chunk of its own.
 */
async function readChunk(path: string, offset: number, limit: number): Promise<SegmentRecord[]> {
  for (let size = chunkBytes; ; size *= 4) {
    const part = await readPart(path, offset, Math.min(size, limit - offset));
    const records: SegmentRecord[] = [];
    let at = 0;
    for (
      let next = readRecord(part, 0, offset);
      next.kind === 'record';
      next = readRecord(part, at, offset + at)
    ) {
      at = next.end;
      records.push({ bytes: next.bytes, isIntact: next.isIntact, end: offset + next.end });
    }
    if (records.length > 0 || offset + part.length >= limit || part.length < size) return records;
  }
}

async function readPart(path: string, offset: number, size: number): Promise<Buffer> {
  if (size <= 0) return Buffer.alloc(0);
  const handle = await open(path, 'r');
  try {
    const part = Buffer.allocUnsafe(size);
    const { bytesRead } = await handle.read(part, 0, size, offset);
    return part.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
