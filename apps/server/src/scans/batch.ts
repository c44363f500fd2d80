import { modes } from '../kernel/caller.ts';
import type { Uuid } from '../kernel/ids.ts';
import { type ByteReader, createReader, createWriter } from './bytes.ts';
import { browsers, devices, type Scan, type ScanBatch } from './scan.ts';

/** A batch as it lies in the log and in the spool. The id is outside too: it is what makes sending it twice harmless. */
export type SealedBatch = { readonly id: Uuid; readonly bytes: Uint8Array };

/** A message that cannot be read is an outcome to count and to report, never a crash. */
export type OpenedBatch =
  | { readonly ok: true; readonly batch: ScanBatch }
  | { readonly ok: false; readonly reason: UnreadableReason };

export type UnreadableReason = 'unknown_version' | 'too_short' | 'too_long' | 'bad_value';

/** The first byte. A new layout takes the next number, and the old one stays readable for as long as logs are kept. */
const version = 1;
const headBytes = 1 + 16 + 2;
const fixedBytes = 4 * 16 + 6 + 1 + 4 * 2;
export const maxScansInBatch = 0xffff;
/** No name of a place is longer; a text that is has gone wrong, and must not push a batch over the log's limit. */
const maxTextLength = 255;

/** About 105 bytes a scan: ids as bytes, closed sets as bits, texts with their length in front. */
export function sealBatch({ id, scans }: ScanBatch): SealedBatch {
  if (scans.length > maxScansInBatch) throw new Error(`A batch has at most ${maxScansInBatch} scans`);
  const out = createWriter(headBytes + scans.reduce((sum, scan) => sum + mostBytes(scan), 0));
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
    out.text(cut(scan.country));
    out.text(cut(scan.region));
    out.text(cut(scan.city));
    out.text(cut(scan.window));
  }
  return { id, bytes: out.done() };
}

export function openBatch(bytes: Uint8Array): OpenedBatch {
  if (bytes.length === 0) return { ok: false, reason: 'too_short' };
  if (bytes[0] !== version) return { ok: false, reason: 'unknown_version' };
  const read = createReader(bytes, 1);
  const id = read.uuid();
  const count = read.uint16();
  // A count that the bytes cannot hold must not make room for it first.
  if (read.failed() || bytes.length < headBytes + count * fixedBytes)
    return { ok: false, reason: 'too_short' };
  const scans: Scan[] = [];
  for (let i = 0; i < count; i++) {
    const scan = readScan(read);
    if (read.failed()) return { ok: false, reason: read.failed() === 'short' ? 'too_short' : 'bad_value' };
    if (!scan) return { ok: false, reason: 'bad_value' };
    scans.push(scan);
  }
  return read.left() > 0 ? { ok: false, reason: 'too_long' } : { ok: true, batch: { id, scans } };
}

/** The id alone, for a batch that is only sent on; or why it cannot be. */
export function sealedFrom(bytes: Uint8Array): SealedBatch | 'unknown_version' | 'too_short' {
  if (bytes.length > 0 && bytes[0] !== version) return 'unknown_version';
  return bytes.length < headBytes ? 'too_short' : { id: createReader(bytes, 1).uuid(), bytes };
}

/** How many scans a batch has, by its head alone; 0 for a layout that is not known. */
export function scansIn(bytes: Uint8Array): number {
  if (bytes.length < headBytes || bytes[0] !== version) return 0;
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint16(headBytes - 2);
}

function readScan(read: ByteReader): Scan | null {
  const id = read.uuid();
  const qrCodeId = read.uuid();
  const accountId = read.uuid();
  const visitor = read.hex16();
  const atMs = read.uint48();
  const sets = read.byte();
  const country = read.text(maxTextLength);
  const region = read.text(maxTextLength);
  const city = read.text(maxTextLength);
  const window = read.text(maxTextLength);
  const mode = modes[sets >> 7];
  const device = devices[(sets >> 4) & 7];
  const browser = browsers[sets & 15];
  if (!mode || !device || !browser) return null;
  return { id, qrCodeId, accountId, mode, atMs, country, region, city, device, browser, visitor, window };
}

const cut = (text: string) => (text.length > maxTextLength ? text.slice(0, maxTextLength) : text);

/** A UTF-16 unit takes at most three bytes of UTF-8. */
const mostBytes = ({ country, region, city, window }: Scan) =>
  fixedBytes + 3 * (country.length + region.length + city.length + window.length);
