import { readCsvCell } from '@signpost/contract/csv-cell.ts';
import { maxPlacements, placementKeyPattern } from '@signpost/contract/values.ts';
import { ApiError } from '../../api/api-error.ts';
import { placementsText as words } from '../../strings/placements.ts';
import { indexOfName } from '../import/columns.ts';
import { writeCsv } from '../import/write-csv.ts';

const { faults } = words.import;

/** A placement of a file, as it is shown before it is added. */
export type PlacementRow = {
  /** Its row in the file, counted from 1 without the headings. */
  readonly number: number;
  readonly key: string;
  readonly name: string;
  readonly note: string;
  readonly fault: string | null;
};

type Sheet = readonly (readonly string[])[];
type Columns = { readonly key: number; readonly name: number; readonly note: number };

/** What files call the columns, the best first. */
const names: Readonly<Record<keyof Columns, readonly string[]>> = {
  key: ['key', 'ending', 'link_ending', 'placement', 'slug'],
  name: ['name', 'where', 'title', 'label', 'place'],
  note: ['note', 'notes', 'comment', 'comments'],
};

/** The placements in a file. `taken` are the keys that the code has already. */
export function placementRows(sheet: Sheet, taken: readonly string[]): PlacementRow[] {
  const { rows, columns } = read(sheet);
  const known = new Set(taken);
  const first = new Map<string, number>();
  return rows.map((cells, index) => {
    const number = index + 1;
    const cell = (at: number) => readCsvCell(cells[at] ?? '');
    const [name, note] = [cell(columns.name), cell(columns.note)];
    const key = (columns.key < 0 ? keyOf(name) : cell(columns.key)).toLowerCase();
    const same = first.get(key);
    if (same === undefined) first.set(key, number);
    const fault =
      faultOf(key, name, note) ??
      (known.has(key) ? faults.taken : same === undefined ? null : faults.same(same));
    return { number, key, name, note, fault };
  });
}

/** A first row of known names is one of headings. Without any, the key comes first; a single column has names. */
function read(sheet: Sheet): { readonly rows: Sheet; readonly columns: Columns } {
  const [headings = [], ...rest] = sheet;
  const find = (field: keyof Columns) =>
    names[field].map(name => indexOfName(headings, name)).find(at => at !== -1) ?? -1;
  const columns = { key: find('key'), name: find('name'), note: find('note') };
  if (columns.name >= 0) return { rows: rest, columns };
  const isSingle = sheet.every(({ length }) => length === 1);
  return { rows: sheet, columns: isSingle ? { key: -1, name: 0, note: -1 } : { key: 0, name: 1, note: 2 } };
}

/** `Table 12` is `table-12`. */
const keyOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mn}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 24)
    .replaceAll(/^-+|-+$/g, '');

const pattern = new RegExp(placementKeyPattern);

export const isKey = (key: string): boolean => pattern.test(key);

/** The key that a name gets: another place may have that of its own already. */
export function freeKey(name: string, taken: ReadonlySet<string>): string {
  // A name in another script has no letters for it.
  const key = keyOf(name) || (name.trim() === '' ? '' : 'place');
  if (!taken.has(key)) return key;
  for (let number = 2; ; number++) {
    const numbered = `${key.slice(0, 24 - `-${number}`.length)}-${number}`;
    if (!taken.has(numbered)) return numbered;
  }
}

function faultOf(wanted: string, name: string, note: string): string | null {
  if (name === '') return words.nameFault;
  if ([...name].length > 80) return faults.longName;
  if (!isKey(wanted)) return words.keyFault;
  return [...note].length > 500 ? faults.longNote : null;
}

/** Why the rows as a whole cannot be added. */
export function roomFault(rows: readonly PlacementRow[], used: number): string | null {
  const room = maxPlacements - used;
  return rows.length > room ? faults.room(maxPlacements, room) : null;
}

export const itemsOf = (rows: readonly PlacementRow[]) =>
  rows.map(({ key, name, note }) => ({ key, name, ...(note === '' ? {} : { note }) }));

/** The rows with what the server refused. */
export function withRefusals(rows: readonly PlacementRow[], error: unknown): readonly PlacementRow[] {
  if (!(error instanceof ApiError)) return rows;
  const refused = new Map(
    error.errors.flatMap(({ param, message }) => {
      const index = /^items\.(\d+)/.exec(param ?? '')?.[1];
      return index === undefined ? [] : [[Number(index), message]];
    }),
  );
  return rows.map((row, index) => ({ ...row, fault: refused.get(index) ?? row.fault }));
}

type Saved = { readonly key: string; readonly name: string; readonly note: string | null };

/** The placements as a file that can be changed and imported for another code. */
export const placementsCsv = (placements: readonly (Saved & { readonly short_url: string })[]): string =>
  writeCsv([
    ['key', 'name', 'note', 'link'],
    ...placements.map(({ key, name, note, short_url }) => [key, name, note ?? '', short_url]),
  ]);
