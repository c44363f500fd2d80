import { modes } from '../../kernel/caller.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { browsers, devices, type Scan, type ScanBatch } from '../scan.ts';
import { type ByteReader, createReader, createWriter } from './bytes.ts';

/** A batch as it is stored in the log and in the spool. The id is also given here, because it makes sending twice harmless. */
export type EncodedBatch = { readonly id: Uuid; readonly bytes: Uint8Array };

/** An unreadable message is an outcome to count and report, never a crash. */
export type DecodedBatch =
  | { readonly ok: true; readonly batch: ScanBatch }
  | { readonly ok: false; readonly reason: UnreadableReason };

export type UnreadableReason = 'unknown_version' | 'too_short' | 'too_long' | 'bad_value';

/** The first byte. A new layout takes the next number, and the old one stays readable for as long as logs are retained. */
const version = 1;
const headerBytes = 1 + 16 + 2;
const fixedBytes = 4 * 16 + 6 + 1 + 4 * 2;
const maxScansInBatch = 0xffff;
/** No name of a place is longer. A longer text is corrupt, and must not push a batch over the log's size limit. */
const maxTextLength = 255;

/** About 105 bytes per scan: ids as bytes, enums as bits, texts with a length prefix. */
export function encodeBatch({ id, scans }: ScanBatch): EncodedBatch {
  if (scans.length > maxScansInBatch) throw new Error(`A batch has at most ${maxScansInBatch} scans`);
  const out = createWriter(headerBytes + scans.reduce((sum, scan) => sum + maxBytes(scan), 0));
  out.byte(version);
  out.hex16(id);
  out.uint16(scans.length);
  for (const scan of scans) {
    out.hex16(scan.id);
    out.hex16(scan.qrCodeId);
    out.hex16(scan.accountId);
    out.hex16(scan.visitor);
    out.uint48(scan.atMs);
    out.byte(
      (modes.indexOf(scan.mode) << 7) | (devices.indexOf(scan.device) << 4) | browsers.indexOf(scan.browser),
    );
    out.text(truncate(scan.country));
    out.text(truncate(scan.region));
    out.text(truncate(scan.city));
    out.text(truncate(scan.window));
  }
  return { id, bytes: out.done() };
}

export function decodeBatch(bytes: Uint8Array): DecodedBatch {
  if (bytes.length === 0) return { ok: false, reason: 'too_short' };
  if (bytes[0] !== version) return { ok: false, reason: 'unknown_version' };
  const reader = createReader(bytes, 1);
  const id = reader.uuid();
  const count = reader.uint16();
  // Do not allocate for a count that the bytes cannot hold.
  if (reader.failed() || bytes.length < headerBytes + count * fixedBytes)
    return { ok: false, reason: 'too_short' };
  const scans: Scan[] = [];
  for (let i = 0; i < count; i++) {
    const scan = readScan(reader);
    if (reader.failed())
      return { ok: false, reason: reader.failed() === 'short' ? 'too_short' : 'bad_value' };
    if (!scan) return { ok: false, reason: 'bad_value' };
    scans.push(scan);
  }
  return reader.remaining() > 0 ? { ok: false, reason: 'too_long' } : { ok: true, batch: { id, scans } };
}

/** Reads only the id, for a batch that is forwarded; or returns why it cannot be. */
export function encodedFrom(bytes: Uint8Array): EncodedBatch | 'unknown_version' | 'too_short' {
  if (bytes.length > 0 && bytes[0] !== version) return 'unknown_version';
  return bytes.length < headerBytes ? 'too_short' : { id: createReader(bytes, 1).uuid(), bytes };
}

/** How many scans a batch has, from its header alone; 0 for an unknown layout. */
export function scansIn(bytes: Uint8Array): number {
  if (bytes.length < headerBytes || bytes[0] !== version) return 0;
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint16(headerBytes - 2);
}

function readScan(reader: ByteReader): Scan | null {
  const id = reader.uuid();
  const qrCodeId = reader.uuid();
  const accountId = reader.uuid();
  const visitor = reader.hex16();
  const atMs = reader.uint48();
  const enums = reader.byte();
  const country = reader.text(maxTextLength);
  const region = reader.text(maxTextLength);
  const city = reader.text(maxTextLength);
  const window = reader.text(maxTextLength);
  const mode = modes[enums >> 7];
  const device = devices[(enums >> 4) & 7];
  const browser = browsers[enums & 15];
  if (!mode || !device || !browser) return null;
  return { id, qrCodeId, accountId, mode, atMs, country, region, city, device, browser, visitor, window };
}

const truncate = (text: string) => (text.length > maxTextLength ? text.slice(0, maxTextLength) : text);

/** A UTF-16 unit takes at most three bytes of UTF-8. */
const maxBytes = ({ country, region, city, window }: Scan) =>
  fixedBytes + 3 * (country.length + region.length + city.length + window.length);
