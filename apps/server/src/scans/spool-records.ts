import { crc32 } from 'node:zlib';

/** What was found in a segment, and what could not be read. */
export type SpoolRecords = {
  readonly records: readonly Uint8Array[];
  /** Up to here the segment can be read. */
  readonly goodBytes: number;
  /** Behind it: a record that was being written when the process or the power went. */
  readonly tornBytes: number;
  /** Whether the end is the end that was written; a process that was killed leaves one segment without. */
  readonly sealed: boolean;
  /** Whole records whose checksum is wrong; those behind them are read all the same. */
  readonly damaged: number;
};

/** Length and CRC-32 in front of the bytes. */
export const recordHeadBytes = 8;
/** No batch is near it; a length beyond it is no length. */
const maxRecordBytes = 16 * 1024 * 1024;
const sealMark = 0xffffffff;

/** Closes a segment, so that one cut off between two records can be told from a whole one. */
export function packSeal(segmentBytes: number): Buffer {
  const seal = Buffer.allocUnsafe(recordHeadBytes);
  seal.writeUInt32BE(sealMark, 0);
  seal.writeUInt32BE(segmentBytes, 4);
  return seal;
}

export function packRecord(bytes: Uint8Array): Buffer {
  const record = Buffer.allocUnsafe(recordHeadBytes + bytes.length);
  record.writeUInt32BE(bytes.length, 0);
  record.writeUInt32BE(crc32(bytes), 4);
  record.set(bytes, recordHeadBytes);
  return record;
}

export function unpackRecords(segment: Buffer): SpoolRecords {
  const records: Uint8Array[] = [];
  let damaged = 0;
  let at = 0;
  while (at + recordHeadBytes <= segment.length) {
    const length = segment.readUInt32BE(at);
    if (length === sealMark && segment.readUInt32BE(at + 4) === at) {
      at += recordHeadBytes;
      return { records, goodBytes: at, tornBytes: segment.length - at, damaged, sealed: true };
    }
    const end = at + recordHeadBytes + length;
    // A file system may leave zeros behind the end of what was written: a record of no length is none.
    if (length === 0 || length > maxRecordBytes || end > segment.length) break;
    const bytes = segment.subarray(at + recordHeadBytes, end);
    if (crc32(bytes) === segment.readUInt32BE(at + 4)) records.push(bytes);
    else damaged++;
    at = end;
  }
  return { records, goodBytes: at, tornBytes: segment.length - at, damaged, sealed: false };
}
