import { readCsvCell } from '@signpost/contract/csv-cell.ts';
import { importText } from '../../strings/import.ts';
import { foldTag } from '../tags/tag-name.ts';
import {
  type Columns,
  type Field,
  indexOfName,
  isBareHost,
  type Recognised,
  type Service,
} from './columns.ts';

/** A code to make, as it stands in the table. */
export type ImportRow = {
  /** Its row in the sheet, counted from 1 without the headings. */
  readonly number: number;
  readonly name: string;
  readonly destination: string;
  readonly ending: string;
  readonly more?: More;
  /** What the server refused, until the cell is changed. */
  readonly refused?: Refused;
  /** An ending that a deleted code of the account had: with it, the row asks to use it again. */
  readonly reclaimable?: string;
};

/** What codes are found by later. */
export type More = {
  readonly tags?: readonly string[];
  readonly externalId?: string;
  readonly note?: string;
  /** The host of the account that the code is on. */
  readonly domain?: string;
  readonly metadata?: Readonly<Record<string, string>>;
};

/** By field; `row` is what is not about one cell. */
export type Refused = { readonly [F in Field | 'row']?: string };

const spareLength = 255;

/** The rows of a sheet as codes to make. */
export function toRows(
  sheet: readonly (readonly string[])[],
  { headings, service }: Pick<Recognised, 'headings' | 'service'>,
  columns: Columns,
): ImportRow[] {
  const cell = (cells: readonly string[], at: number | null) =>
    at === null ? '' : readCsvCell(cells[at] ?? '');
  return sheet.slice(headings ? 1 : 0).map((cells, index) => {
    const destination = withScheme(cell(cells, columns.destination));
    const ending = endingOf(cell(cells, columns.ending));
    // Other services let a link go without a title, and a sheet may have no names at all: the row is not at fault.
    const spare = service || columns.name === null ? ending || shortened(destination) : '';
    const more = moreOf(at => cell(cells, at), columns, headings);
    const closed = service && headings ? closedThere(service, headings, cells) : undefined;
    return {
      number: index + 1,
      name: cell(cells, columns.name) || spare,
      destination,
      ending,
      ...(more ? { more } : {}),
      ...(closed ? { refused: { row: closed } } : {}),
    };
  });
}

function moreOf(
  cell: (at: number | null) => string,
  columns: Columns,
  headings: readonly string[] | null,
): More | undefined {
  const tags = tagsIn(cell(columns.tags));
  const [externalId, note, domain] = [cell(columns.externalId), cell(columns.note), cell(columns.domain)];
  const metadata = Object.fromEntries(
    columns.metadata.flatMap(at => detailsIn(headings?.[at] ?? '', at, cell(at))),
  );
  const more = {
    ...(tags.length > 0 ? { tags } : {}),
    ...(externalId ? { externalId } : {}),
    ...(note ? { note } : {}),
    ...(domain ? { domain } : {}),
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
  };
  return Object.keys(more).length > 0 ? more : undefined;
}

/** Shlink and our own export separate tags by a bar, others by commas or semicolons. */
function tagsIn(cell: string): readonly string[] {
  const list = cell.replace(/^\[(.*)\]$/s, '$1').split(cell.includes('|') ? '|' : /[,;]/);
  const names = list.map(name => name.trim().replace(/^"(.*)"$/s, '$1')).filter(name => name !== '');
  const byFolded = new Map<string, string>();
  for (const name of names) if (!byFolded.has(foldTag(name))) byFolded.set(foldTag(name), name);
  return [...byFolded.values()];
}

/** A cell under its own name; a column named metadata holds an object, as our own export has it. */
function detailsIn(heading: string, at: number, cell: string): (readonly [string, string])[] {
  if (cell === '') return [];
  if (/^metadata$/i.test(heading)) return objectIn(cell) ?? [['metadata', cell]];
  return [[detailName(heading, at), cell]];
}

/** The name of a column as the API takes it. */
const detailName = (heading: string, at: number): string =>
  heading
    .replace(/^metadata\./i, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_.-]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 40) || `column_${at + 1}`;

function objectIn(cell: string): [string, string][] | null {
  try {
    const value: unknown = JSON.parse(cell);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    return Object.entries(value).map(([key, one]) => [
      key,
      typeof one === 'string' ? one : JSON.stringify(one),
    ]);
  } catch {
    // Not what our own export writes: the text itself is the detail.
    return null;
  }
}

/** A link that does not open for everybody there must not do so here without a person's decision. */
function closedThere(service: Service, headings: readonly string[], cells: readonly string[]) {
  const isSet = (names: readonly string[]) =>
    names.some(name => !/^(|false|0|null|no)$/i.test(cells[indexOfName(headings, name)] ?? ''));
  if (isSet(['password'])) return importText.faults.withPassword(service);
  return isSet(['disabled_at', 'is_deleted', 'banned']) ? importText.faults.switchedOff(service) : undefined;
}

/** Nobody types it, and nothing else can be meant. */
export const withScheme = (destination: string): string =>
  isBareHost(destination) ? `https://${destination}` : destination;

/** Of a whole short link, only what follows the host. */
export function endingOf(cell: string): string {
  const link = cell.replace(/^https?:\/\//i, '');
  const slash = link.indexOf('/');
  const isLink = slash > 0 && link.slice(0, slash).includes('.');
  return (isLink ? link.slice(slash + 1) : cell.replace(/^\//, '')).replace(/\/$/, '');
}

const shortened = (url: string): string =>
  url
    .replace(/^https?:\/\/(?:www\.)?/i, '')
    .replace(/\/$/, '')
    .slice(0, spareLength)
    .toWellFormed();

/** Another value for a cell. What the server said about the old one is forgotten. */
export function withCell(row: ImportRow, field: Field, value: string): ImportRow {
  const { refused, ...rest } = row;
  const { [field]: _, row: __, ...kept } = refused ?? {};
  return { ...rest, [field]: value, ...(Object.keys(kept).length > 0 ? { refused: kept } : {}) };
}

/** Reads what is not edited from other columns. What the server said about the row is forgotten. */
export function withMore(rows: readonly ImportRow[], fresh: readonly ImportRow[]): readonly ImportRow[] {
  const byNumber = new Map(fresh.map(row => [row.number, row]));
  return rows.map(({ more: _, refused, ...row }) => {
    const { row: __, ...kept } = refused ?? {};
    const more = byNumber.get(row.number)?.more;
    return {
      ...row,
      ...(more ? { more } : {}),
      ...(Object.keys(kept).length > 0 ? { refused: kept } : {}),
    };
  });
}

/** Reads one field from another column; what was mended in the other cells stays. */
export function remapped(
  rows: readonly ImportRow[],
  fresh: readonly ImportRow[],
  field: Field,
): readonly ImportRow[] {
  const byNumber = new Map(fresh.map(row => [row.number, row]));
  return rows.map(row => withCell(row, field, byNumber.get(row.number)?.[field] ?? ''));
}
