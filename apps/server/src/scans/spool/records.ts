import { crc32 } from 'node:zlib';

/** The contents of a segment, and what could not be read. */
export type SpoolRecords = {
  readonly records: readonly Uint8Array[];
  /** The length of the readable part. */
  readonly goodBytes: number;
  /** After it: a record that was being written when the process died or the power failed. */
  readonly tornBytes: number;
  /** Whether the segment has its end marker; a killed process leaves one segment without. */
  readonly sealed: boolean;
  /** Whole records with a wrong checksum; those after them are still read. */
  readonly damaged: number;
};

/** Length and CRC-32, before the bytes. */
export const recordHeaderBytes = 8;
/** No batch comes near it; a larger length is corrupt. */
const maxRecordBytes = 16 * 1024 * 1024;
const sealMark = 0xffffffff;

/** The end marker of a segment, which tells a complete segment from one that was cut off between two records. */
export function packSeal(segmentBytes: number): Buffer {
  const seal = Buffer.allocUnsafe(recordHeaderBytes);
  seal.writeUInt32BE(sealMark, 0);
  seal.writeUInt32BE(segmentBytes, 4);
  return seal;
}

export function packRecord(bytes: Uint8Array): Buffer {
  const record = Buffer.allocUnsafe(recordHeaderBytes + bytes.length);
  record.writeUInt32BE(bytes.length, 0);
  record.writeUInt32BE(crc32(bytes), 4);
  record.set(bytes, recordHeaderBytes);
  return record;
}

export function unpackRecords(segment: Buffer): SpoolRecords {
  const records: Uint8Array[] = [];
  let damaged = 0;
  let at = 0;
  for (let next = readRecord(segment, 0, 0); next.kind !== 'end'; next = readRecord(segment, at, at)) {
    at = next.end;
    if (next.kind === 'seal')
      return { records, goodBytes: at, tornBytes: segment.length - at, damaged, sealed: true };
    if (next.isIntact) records.push(next.bytes);
    else damaged++;
  }
  return { records, goodBytes: at, tornBytes: segment.length - at, damaged, sealed: false };
}

/** What is at a place of a segment: a record, its end marker, or the end of what is readable. */
export type RecordAt =
  | { readonly kind: 'record'; readonly bytes: Buffer; readonly isIntact: boolean; readonly end: number }
  | { readonly kind: 'seal'; readonly end: number }
  | { readonly kind: 'end' };

/** `part` is a part of a segment, in which the record begins at `at`; `offset` is where it begins in the segment. */
export function readRecord(part: Buffer, at: number, offset: number): RecordAt {
  if (at + recordHeaderBytes > part.length) return { kind: 'end' };
  const [length, check] = [part.readUInt32BE(at), part.readUInt32BE(at + 4)];
  const start = at + recordHeaderBytes;
  if (length === sealMark && check === offset) return { kind: 'seal', end: start };
  const end = start + length;
  // A file system may leave zeros after the last write: a record of length 0 is none.
  if (length === 0 || length > maxRecordBytes || end > part.length) return { kind: 'end' };
  const bytes = part.subarray(start, end);
  return { kind: 'record', bytes, isIntact: crc32(bytes) === check, end };
}
