import type { LogEntry } from '../scans/log-entry.ts';
import { browsers, devices, type Scan, type ScanBatch } from '../scans/scan.ts';
import { type CheckedEntry, UnknownLayout } from './ingest.ts';
import { isWindow } from './windows.ts';

/**
 * Sorts out what cannot be taken, so that whatever comes after can trust what it is given. An unknown layout is no fault
 * of the entry: it throws, and the work stops there until a version comes that knows it.
 */
export function checkEntry(entry: LogEntry): CheckedEntry {
  const { position } = entry;
  if (entry.kind === 'missing')
    return { position, batch: nothing, bytes: noBytes, mark: null, fault: null, missing: entry.count };
  const { bytes, mark } = entry;
  const rest = { position, bytes, mark, missing: 0 };
  if (entry.kind === 'unreadable') {
    if (entry.reason === 'unknown_version') throw new UnknownLayout(position, bytes[0]);
    return { ...rest, batch: nothing, fault: entry.reason };
  }
  const { batch, trace } = entry;
  const fault = whyNot(batch);
  return { ...rest, batch: fault === null ? batch : nothing, fault, ...(trace ? { trace } : {}) };
}

const nothing: ScanBatch = { id: '', scans: [] };
const noBytes = new Uint8Array();

/**
 * Why a batch cannot be taken, or null. The log is the border of this process, and a value that an engine would refuse
 * must not hold up the entries behind it.
 */
export function whyNot(batch: ScanBatch): string | null {
  if (!isUuid(batch?.id)) return 'batch id';
  if (!Array.isArray(batch.scans)) return 'scans';
  for (const scan of batch.scans as readonly Scan[]) {
    const field = scan && typeof scan === 'object' ? fields.find(([, isGood]) => !isGood(scan)) : ['scan'];
    if (field) return field[0];
  }
  return null;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const isUuid = (value: unknown) => typeof value === 'string' && uuid.test(value);

/** Names of places are short; what is longer is none. */
const isName = (value: unknown) =>
  typeof value === 'string' && value.length <= 200 && value.isWellFormed() && !value.includes('\0');

const [earliestMs, latestMs] = [Date.UTC(2020), Date.UTC(2100)];

const fields: readonly (readonly [string, (scan: Scan) => boolean])[] = [
  ['id', scan => isUuid(scan.id)],
  ['qrCodeId', scan => isUuid(scan.qrCodeId)],
  ['accountId', scan => isUuid(scan.accountId)],
  ['mode', scan => scan.mode === 'live' || scan.mode === 'test'],
  ['atMs', scan => Number.isInteger(scan.atMs) && scan.atMs >= earliestMs && scan.atMs < latestMs],
  ['country', scan => typeof scan.country === 'string' && /^[A-Z]{2}$/.test(scan.country)],
  ['region', scan => isName(scan.region)],
  ['city', scan => isName(scan.city)],
  ['device', scan => devices.includes(scan.device)],
  ['browser', scan => browsers.includes(scan.browser)],
  ['visitor', scan => typeof scan.visitor === 'string' && /^[0-9a-f]{32}$/.test(scan.visitor)],
  ['window', scan => isWindow(scan.window)],
];
