import type { ExportFormat, ScanRecord } from '@signpost/contract';

/** A file of scans, written piece by piece. */
export type ScanFile = {
  readonly type: string;
  head(): string;
  /** Scans that follow `before` others. */
  piece(scans: readonly ScanRecord[], before: number): string;
  /** The end, when so many scans are in it. */
  tail(count: number): string;
};

type Head = { readonly qr_id: string; readonly period: { readonly start: string; readonly end: string } };

/** `bom` puts a byte order mark before a CSV: without it Excel takes UTF-8 for the code page of its country. */
export const scanFile = (format: ExportFormat, head: Head, bom = false): ScanFile =>
  format === 'json' ? jsonFile(head) : bom ? markedCsvFile : csvFile;

const columns = [
  'id',
  'timestamp',
  'country',
  'region',
  'city',
  'device',
  'browser',
  'is_unique',
] as const satisfies readonly (keyof ScanRecord)[];

const csvFile: ScanFile = {
  type: 'text/csv; charset=utf-8',
  head: () => `${columns.join(',')}\r\n`,
  // Joined, not added up: a text that grows by pieces is kept as a tree of them until it is sent.
  piece: scans => scans.map(lineOf).join(''),
  tail: () => '',
};

const markedCsvFile: ScanFile = { ...csvFile, head: () => `\uFEFF${csvFile.head()}` };

const lineOf = ({ id, timestamp, country, region, city, device, browser, is_unique }: ScanRecord) =>
  `${[id, timestamp, csvCell(country), csvCell(region), csvCell(city), csvCell(device), csvCell(browser), is_unique].join(',')}\r\n`;

/** The count comes last, since only then is it known; and who finds it there has the whole file. */
const jsonFile = (head: Head): ScanFile => ({
  type: 'application/json; charset=utf-8',
  head: () => `${JSON.stringify(head).slice(0, -1)},"data":[`,
  piece: (scans, before) =>
    scans.length === 0
      ? ''
      : (before > 0 ? ',\n' : '\n') + scans.map(scan => JSON.stringify(scan)).join(',\n'),
  tail: count => `\n],"total":${count}}\n`,
});

/**
 * A cell of RFC 4180. Spreadsheets take a cell that begins with one of these signs for a formula, also after white space
 * and in their wide forms; an apostrophe before it makes it text.
 */
export function csvCell(text: string): string {
  // Most cells begin with a letter or a digit, and are done with that.
  const first = text.charCodeAt(0);
  const isUsual = (first > 0x40 && first < 0x7f) || (first >= 0x30 && first <= 0x39);
  if (isUsual && !/[",\r\n]/.test(text)) return text;
  const safe = /^[\s\p{Cc}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/u.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
