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
  while (at + recordHeaderBytes <= segment.length) {
    const length = segment.readUInt32BE(at);
    if (length === sealMark && segment.readUInt32BE(at + 4) === at) {
      at += recordHeaderBytes;
      return { records, goodBytes: at, tornBytes: segment.length - at, damaged, sealed: true };
    }
    const end = at + recordHeaderBytes + length;
    // A file system may leave zeros after the last write: a record of length 0 is none.
    if (length === 0 || length > maxRecordBytes || end > segment.length) break;
    const bytes = segment.subarray(at + recordHeaderBytes, end);
    if (crc32(bytes) === segment.readUInt32BE(at + 4)) records.push(bytes);
    else damaged++;
    at = end;
  }
  return { records, goodBytes: at, tornBytes: segment.length - at, damaged, sealed: false };
}
