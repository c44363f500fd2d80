import type { LogEntry } from '../../scans/log/format/entry.ts';
import { browsers, devices, type Scan, type ScanBatch } from '../../scans/scan.ts';
import { type CheckedEntry, emptyBatch, UnknownLayout } from '../ingest.ts';
import { isWindowName } from '../visitor-tables.ts';

/**
 * Validates an entry, so that later steps can trust it. An unknown layout is not a fault of the entry: it throws, and work
 * on the shard stops there until a version runs that can read it.
 */
export function checkEntry(entry: LogEntry): CheckedEntry {
  const { position } = entry;
  if (entry.kind === 'missing')
    return { position, batch: emptyBatch, bytes: noBytes, mark: null, fault: null, missing: entry.count };
  const { bytes, mark } = entry;
  const common = { position, bytes, mark, missing: 0 };
  if (entry.kind === 'unreadable') {
    if (entry.reason === 'unknown_version') throw new UnknownLayout(position, bytes[0]);
    return { ...common, batch: emptyBatch, fault: entry.reason };
  }
  const { batch, trace } = entry;
  const fault = findFault(batch);
  return { ...common, batch: fault === null ? batch : emptyBatch, fault, ...(trace ? { trace } : {}) };
}

const noBytes = new Uint8Array();

/**
 * The field that makes a batch invalid, or null. The log is the boundary of this process, and a value that a database would
 * refuse must not block the entries after it.
 */
export function findFault(batch: ScanBatch): string | null {
  if (!isUuid(batch?.id)) return 'batch id';
  if (!Array.isArray(batch.scans)) return 'scans';
  for (const scan of batch.scans as readonly Scan[]) {
    const field = scan && typeof scan === 'object' ? fields.find(([, isValid]) => !isValid(scan)) : ['scan'];
    if (field) return field[0];
  }
  return null;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const isUuid = (value: unknown) => typeof value === 'string' && uuid.test(value);

/** Place names are short; a longer text is invalid. */
const isPlaceName = (value: unknown) =>
  typeof value === 'string' && value.length <= 200 && value.isWellFormed() && !value.includes('\0');

const [earliestMs, latestMs] = [Date.UTC(2020), Date.UTC(2100)];

const fields: readonly (readonly [string, (scan: Scan) => boolean])[] = [
  ['id', scan => isUuid(scan.id)],
  ['qrCodeId', scan => isUuid(scan.qrCodeId)],
  ['accountId', scan => isUuid(scan.accountId)],
  ['mode', scan => scan.mode === 'live' || scan.mode === 'test'],
  ['atMs', scan => Number.isInteger(scan.atMs) && scan.atMs >= earliestMs && scan.atMs < latestMs],
  ['country', scan => typeof scan.country === 'string' && /^[A-Z]{2}$/.test(scan.country)],
  ['region', scan => isPlaceName(scan.region)],
  ['city', scan => isPlaceName(scan.city)],
  ['device', scan => devices.includes(scan.device)],
  ['browser', scan => browsers.includes(scan.browser)],
  ['visitor', scan => typeof scan.visitor === 'string' && /^[0-9a-f]{32}$/.test(scan.visitor)],
  ['window', scan => isWindowName(scan.window)],
  ['ruleId', scan => isUuid(scan.ruleId)],
  ['targetId', scan => isUuid(scan.targetId)],
  ['placement', scan => isPlaceName(scan.placement)],
  // A live code is never scanned by a test.
  ['sandbox', scan => scan.sandbox === false || (scan.sandbox === true && scan.mode === 'test')],
  ['language', scan => typeof scan.language === 'string' && /^[a-z]{0,8}$/.test(scan.language)],
];
