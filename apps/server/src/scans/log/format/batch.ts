import type { Uuid } from '../../../kernel/ids.ts';
import type { Scan, ScanBatch } from '../../scan.ts';
import { createReader } from './bytes.ts';
import {
  type BatchVersion,
  batchVersions,
  type EncodedScan,
  encodeScan,
  minScanBytes,
  readScan,
} from './scan-bytes.ts';

/** A batch as it is stored in the log and in the spool. The id is also given here, because it makes sending twice harmless. */
export type EncodedBatch = { readonly id: Uuid; readonly bytes: Uint8Array };

/** A batch that scans are still added to. */
export type OpenBatch = {
  readonly count: number;
  /** Copies the scan. */
  add(scan: EncodedScan): void;
  /** Nothing may be added afterwards. */
  close(id: Uuid): EncodedBatch;
};

/** An unreadable message is an outcome to count and report, never a crash. */
export type DecodedBatch =
  | { readonly ok: true; readonly batch: ScanBatch }
  | { readonly ok: false; readonly reason: UnreadableReason };

export type UnreadableReason = 'unknown_version' | 'too_short' | 'too_long' | 'bad_value';

/** The newest layout. Its number is the first byte of a batch. Old ones stay readable for as long as logs are retained. */
export const newestVersion: BatchVersion = 2;
const headerBytes = 1 + 16 + 2;
const maxScansInBatch = 0xffff;
/** More than most scans take. */
const usualScanBytes = 128;

/** The buffer is sized for `expectedScans` and grows where they are more. */
export function openBatch(expectedScans: number, version: BatchVersion = newestVersion): OpenBatch {
  let bytes = Buffer.allocUnsafe(headerBytes + expectedScans * usualScanBytes);
  let end = headerBytes;
  let count = 0;
  return {
    get count() {
      return count;
    },
    add(scan) {
      const length = version === 1 ? scan.length1 : scan.length;
      if (end + length > bytes.length) {
        const larger = Buffer.allocUnsafe(2 * bytes.length + length);
        bytes.copy(larger, 0, 0, end);
        bytes = larger;
      }
      scan.bytes.copy(bytes, end, 0, length);
      end += length;
      count++;
    },
    close(id) {
      bytes[0] = version;
      bytes.write(id.replaceAll('-', ''), 1, 'hex');
      bytes.writeUInt16BE(count, headerBytes - 2);
      return { id, bytes: bytes.subarray(0, end) };
    },
  };
}

export function encodeBatch({ id, scans }: ScanBatch, version?: BatchVersion): EncodedBatch {
  if (scans.length > maxScansInBatch) throw new Error(`A batch has at most ${maxScansInBatch} scans`);
  const batch = openBatch(scans.length, version);
  for (const scan of scans) batch.add(encodeScan(scan));
  return batch.close(id);
}

export function decodeBatch(bytes: Uint8Array): DecodedBatch {
  if (bytes.length === 0) return { ok: false, reason: 'too_short' };
  const version = readVersion(bytes);
  if (version === null) return { ok: false, reason: 'unknown_version' };
  const reader = createReader(bytes, 1);
  const id = reader.uuid();
  const count = reader.uint16();
  // Do not allocate for a count that the bytes cannot hold.
  if (reader.failed() || bytes.length < headerBytes + count * minScanBytes)
    return { ok: false, reason: 'too_short' };
  const scans: Scan[] = [];
  for (let i = 0; i < count; i++) {
    const scan = readScan(reader, version);
    if (reader.failed())
      return { ok: false, reason: reader.failed() === 'short' ? 'too_short' : 'bad_value' };
    if (!scan) return { ok: false, reason: 'bad_value' };
    scans.push(scan);
  }
  return reader.remaining() > 0 ? { ok: false, reason: 'too_long' } : { ok: true, batch: { id, scans } };
}

/** Reads only the id, for a batch that is forwarded; or returns why it cannot be. */
export function encodedFrom(bytes: Uint8Array): EncodedBatch | 'unknown_version' | 'too_short' {
  if (bytes.length > 0 && readVersion(bytes) === null) return 'unknown_version';
  return bytes.length < headerBytes ? 'too_short' : { id: createReader(bytes, 1).uuid(), bytes };
}

/** Where the first scan of a batch begins. */
export const firstScanAt = headerBytes;

/** How many scans a batch has, from its header alone; 0 for an unknown layout. */
export function countScans(bytes: Uint8Array): number {
  if (bytes.length < headerBytes || readVersion(bytes) === null) return 0;
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint16(headerBytes - 2);
}

const readVersion = (bytes: Uint8Array): BatchVersion | null =>
  batchVersions.find(version => version === bytes[0]) ?? null;
