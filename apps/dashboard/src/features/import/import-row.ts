import { importText } from '../../strings/import.ts';
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
  /** What the server refused, until the cell is changed. */
  readonly refused?: Refused;
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
  const cell = (cells: readonly string[], at: number | null) => (at === null ? '' : (cells[at] ?? ''));
  return sheet.slice(headings ? 1 : 0).map((cells, index) => {
    const destination = withScheme(cell(cells, columns.destination));
    const ending = endingOf(cell(cells, columns.ending));
    // Other services let a link go without a title, and a sheet may have no names at all: the row is not at fault.
    const spare = service || columns.name === null ? ending || shortened(destination) : '';
    const closed = service && headings ? closedThere(service, headings, cells) : undefined;
    return {
      number: index + 1,
      name: cell(cells, columns.name) || spare,
      destination,
      ending,
      ...(closed ? { refused: { row: closed } } : {}),
    };
  });
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

/** Reads one field from another column; what was mended in the other cells stays. */
export function remapped(
  rows: readonly ImportRow[],
  fresh: readonly ImportRow[],
  field: Field,
): readonly ImportRow[] {
  const byNumber = new Map(fresh.map(row => [row.number, row]));
  return rows.map(row => withCell(row, field, byNumber.get(row.number)?.[field] ?? ''));
}
