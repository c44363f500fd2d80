import type { ExportFormat, ScanRecord } from '@signpost/contract';

/** An export of scans, written in chunks. */
export type ScanFile = {
  readonly type: string;
  head(): string;
  /** Scans that come after `before` others. */
  chunk(scans: readonly ScanRecord[], before: number): string;
  /** The end of a file with this many scans. */
  tail(count: number): string;
};

type Head = { readonly qr_id: string; readonly period: { readonly start: string; readonly end: string } };

/** `bom` starts a CSV with a byte order mark: without it Excel reads UTF-8 in the local code page. */
export const scanFile = (format: ExportFormat, head: Head, bom = false): ScanFile =>
  format === 'json' ? jsonFile(head) : bom ? csvFileWithBom : csvFile;

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
] as const satisfies readonly (keyof ScanRecord)[];

const csvFile: ScanFile = {
  type: 'text/csv; charset=utf-8',
  head: () => `${columns.join(',')}\r\n`,
  // Joined, not concatenated: V8 keeps a string that grows by `+=` as a tree of its parts until it is sent.
  chunk: scans => scans.map(lineOf).join(''),
  tail: () => '',
};

const csvFileWithBom: ScanFile = { ...csvFile, head: () => `\uFEFF${csvFile.head()}` };

const lineOf = ({ id, timestamp, country, region, city, device, browser, is_unique, language }: ScanRecord) =>
  `${[id, timestamp, csvCell(country), csvCell(region), csvCell(city), csvCell(device), csvCell(browser), is_unique, csvCell(language)].join(',')}\r\n`;

/** The count comes last, because only then is it known; a reader that finds it has the whole file. */
const jsonFile = (head: Head): ScanFile => ({
  type: 'application/json; charset=utf-8',
  head: () => `${JSON.stringify(head).slice(0, -1)},"data":[`,
  chunk: (scans, before) =>
    scans.length === 0
      ? ''
      : (before > 0 ? ',\n' : '\n') + scans.map(scan => JSON.stringify(scan)).join(',\n'),
  tail: count => `\n],"total":${count}}\n`,
});

/**
 * A cell of RFC 4180. Spreadsheets treat a cell that begins with one of these characters as a formula, also after white
 * space and in their full-width forms; a leading apostrophe makes it text.
 */
export function csvCell(text: string): string {
  // Fast path: most cells begin with a letter or a digit.
  const first = text.charCodeAt(0);
  const isAlphanumeric = (first > 0x40 && first < 0x7f) || (first >= 0x30 && first <= 0x39);
  if (isAlphanumeric && !/[",\r\n]/.test(text)) return text;
  const safe = /^[\s\p{Cc}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/u.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
