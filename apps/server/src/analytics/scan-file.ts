import type { AccountScan, ExportFormat, ScanRecord } from '@signpost/contract';
import { csvCell } from '@signpost/contract/csv-cell.ts';

/** An export of scans, written in chunks. */
export type ScanFile<Scan extends ScanRecord = ScanRecord> = {
  readonly type: string;
  head(): string;
  /** Scans that come after `before` others. */
  chunk(scans: readonly Scan[], before: number): string;
  /** The end of a file with this many scans. */
  tail(count: number): string;
};

/** What a JSON file begins with: of one code with its id. */
type Head = {
  readonly qr_id?: string;
  readonly period: { readonly start: string; readonly end: string };
  readonly retained_from?: string;
};

/** `bom` starts a CSV with a byte order mark: without it Excel reads UTF-8 in the local code page. */
export const scanFile = (format: ExportFormat, head: Head, bom = false): ScanFile =>
  format === 'json' ? jsonFile(head) : csvFile(columns, bom);

/** The same for scans of many codes, each with the id of its code. */
export const accountScanFile = (format: ExportFormat, head: Head, bom = false): ScanFile<AccountScan> =>
  format === 'json' ? jsonFile(head) : csvFile(accountColumns, bom);

const columns = [
  'id',
  'timestamp',
  'country',
  'region',
  'city',
  'device',
  'browser',
  'is_unique',
  'language',
  'target_id',
  'rule_id',
  'placement',
] as const satisfies readonly (keyof ScanRecord)[];

const accountColumns = ['id', 'qr_id', ...columns.slice(1)] as readonly (keyof AccountScan)[];

const csvFile = <Scan extends ScanRecord>(
  names: readonly (keyof Scan & string)[],
  bom: boolean,
): ScanFile<Scan> => ({
  type: 'text/csv; charset=utf-8',
  head: () => `${bom ? '\uFEFF' : ''}${names.join(',')}\r\n`,
  // Joined, not concatenated: V8 keeps a string that grows by `+=` as a tree of its parts until it is sent.
  chunk: scans =>
    scans.map(scan => `${names.map(name => csvCell(String(scan[name]))).join(',')}\r\n`).join(''),
  tail: () => '',
});

/** The count comes last, because only then is it known; a reader that finds it has the whole file. */
const jsonFile = <Scan extends ScanRecord>(head: Head): ScanFile<Scan> => ({
  type: 'application/json; charset=utf-8',
  head: () => `${JSON.stringify(head).slice(0, -1)},"data":[`,
  chunk: (scans, before) =>
    scans.length === 0
      ? ''
      : (before > 0 ? ',\n' : '\n') + scans.map(scan => JSON.stringify(scan)).join(',\n'),
  tail: count => `\n],"total":${count}}\n`,
});
