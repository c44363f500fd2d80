import { type Mode, modes } from '../../../kernel/caller.ts';
import { type Browser, browsers, type Device, defaultFields, devices, type Scan } from '../../scan.ts';
import { encodeAddedFields, maxAddedBytes, readAddedFields } from './added-fields.ts';
import { type ByteReader, createWriter } from './bytes.ts';

/**
 * A scan as a batch holds it, about 110 bytes: ids as bytes, enums as bits, texts with a length prefix, and the added fields.
 * A redirect writes its scans in this form from the start. Its buffer is reused for the next scan, so whoever keeps one
 * copies it.
 */
export type EncodedScan = {
  readonly bytes: Buffer;
  readonly length: number;
  /** Without the added fields: as version 1 has it. */
  readonly length1: number;
};

/** Layouts of a batch that can be written and read. Version 2 has the added fields. */
export const batchVersions = [1, 2] as const;
export type BatchVersion = (typeof batchVersions)[number];

/** Where the fields begin. The texts are country, region, city and window. */
export const scanLayout = {
  id: 0,
  linkIds: 16,
  accountId: 32,
  visitor: 48,
  atMs: 64,
  enums: 70,
  texts: 71,
} as const;

/** No name of a place is longer. A longer text is corrupt, and must not push a batch over the log's size limit. */
const maxTextLength = 255;
/** A UTF-16 unit takes at most three bytes of UTF-8. */
const maxTextBytes = 2 + 3 * maxTextLength;

export const minScanBytes = scanLayout.texts + 4 * 2;
export const maxScanBytes = scanLayout.texts + 4 * maxTextBytes + maxAddedBytes;

export const packEnums = (mode: Mode, device: Device, browser: Browser): number =>
  (modes.indexOf(mode) << 7) | (devices.indexOf(device) << 4) | browsers.indexOf(browser);

/** Texts as a scan holds them, for those that recur in many scans. */
export function encodeTexts(...texts: readonly string[]): Buffer {
  const out = createWriter(texts.length * maxTextBytes);
  for (const text of texts) out.text(text.slice(0, maxTextLength));
  return Buffer.from(out.done());
}

export function encodeScan(scan: Scan): EncodedScan {
  const out = createWriter(maxScanBytes);
  out.hex16(scan.id);
  out.hex16(scan.qrCodeId);
  out.hex16(scan.accountId);
  out.hex16(scan.visitor);
  out.uint48(scan.atMs);
  out.byte(packEnums(scan.mode, scan.device, scan.browser));
  for (const text of [scan.country, scan.region, scan.city, scan.window])
    out.text(text.slice(0, maxTextLength));
  const fields1 = out.done();
  const bytes = Buffer.concat([fields1, encodeAddedFields(scan)]);
  return { bytes, length: bytes.length, length1: fields1.length };
}

/** Null if a value is not one that a scan can have. */
export function readScan(reader: ByteReader, version: BatchVersion): Scan | null {
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
  const added = version === 1 ? defaultFields : readAddedFields(reader);
  if (!mode || !device || !browser || !added) return null;
  return {
    id,
    qrCodeId,
    accountId,
    mode,
    atMs,
    country,
    region,
    city,
    device,
    browser,
    visitor,
    window,
    ...added,
  };
}
