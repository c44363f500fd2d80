import { maxMetadataKeys, maxTagsOfCode } from '@signpost/contract/values.ts';
import { importText } from '../../strings/import.ts';
import { codeFaults, destinationFault, shortCodeFault } from '../codes/new-code.ts';
import { tagFault } from '../tags/tag-name.ts';
import { type Field, fields } from './columns.ts';
import type { ImportRow, More } from './import-row.ts';

/** What is wrong with a row, by cell; `row` is what is not about one cell. */
export type Faults = { readonly [F in Field | 'row']?: string };

const none: Faults = {};
const maxName = 255;
const maxDestination = 4096;

/**
 * Finds what is wrong with each row, by the rules of a new code; `taken` are codes made before, by `toPlaceKey`. Made once per page: a row that did not change is not looked
 * at again, so that ten thousand rows follow each key.
 */
export function createFaultFinder(
  minEnding: number,
): (rows: readonly ImportRow[], taken?: ReadonlySet<string>) => readonly Faults[] {
  const known = new WeakMap<ImportRow, Faults>();
  const ending = shortCodeFault(minEnding);
  const own = (row: ImportRow): Faults => {
    const found = known.get(row) ?? {
      ...only('name', nameFault(row.name)),
      ...only('destination', addressFault(row.destination)),
      ...only('ending', ending(row.ending)),
      ...only('row', row.more ? moreFault(row.more) : null),
      ...row.refused,
    };
    known.set(row, found);
    return found;
  };
  return (rows, taken) => {
    const firstRow = new Map<string, number>();
    const firstId = new Map<string, number>();
    return rows.map(row => {
      const faults = withoutSameId(own(row), row, firstId);
      if (row.ending === '') return faults;
      const place = toPlaceKey(row.ending, row.more?.domain);
      const first = firstRow.get(place);
      if (first === undefined) firstRow.set(place, row.number);
      // What is wrong with the ending itself comes first.
      if (faults.ending) return faults;
      if (taken?.has(place)) return { ...faults, ending: importText.faults.takenEnding };
      return first === undefined ? faults : { ...faults, ending: importText.faults.sameEnding(first) };
    });
  };
}

/** What an ending is unique by. */
export const toPlaceKey = (ending: string, domain = ''): string =>
  `${domain.toLowerCase()}/${ending.toLowerCase()}`;

/** An external id is of one code alone. */
function withoutSameId(faults: Faults, { number, more }: ImportRow, firstId: Map<string, number>): Faults {
  if (!more?.externalId) return faults;
  const first = firstId.get(more.externalId);
  if (first === undefined) firstId.set(more.externalId, number);
  if (first === undefined || faults.row) return faults;
  return { ...faults, row: importText.faults.sameExternalId(first) };
}

export const isFaulty = (faults: Faults = none): boolean => countOf(faults) > 0;

export const countOf = (faults: Faults): number =>
  fields.filter(field => faults[field]).length + (faults.row ? 1 : 0);

const nameFault = (value: string): string | null =>
  value.length > maxName ? importText.faults.longName : codeFaults.name(value);

function addressFault(value: string): string | null {
  if (value.length > maxDestination) return importText.faults.longAddress;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the API takes none of these
  const hasSpaces = /[\u0000-\u0020\u007F-\u009F]/.test(value);
  if (hasSpaces && /^https?:/i.test(value)) return importText.faults.spaces;
  return destinationFault(value);
}

/** By the rules of tags, notes, external ids and metadata. */
function moreFault({ tags = [], externalId = '', note = '', metadata = {} }: More): string | null {
  const words = importText.faults;
  if (tags.length > maxTagsOfCode) return words.manyTags(maxTagsOfCode);
  const tag = tags.find(name => tagFault(name) !== null);
  if (tag !== undefined) return words.badTag(tag.slice(0, 60));
  if ([...externalId].length > 255) return words.longExternalId;
  if ([...note].length > 2000) return words.longNote;
  const keys = Object.keys(metadata);
  if (keys.length > maxMetadataKeys) return words.manyDetails(maxMetadataKeys);
  const key = keys.find(name => !/^[A-Za-z0-9_.-]{1,40}$/.test(name));
  if (key !== undefined) return words.badDetail(key.slice(0, 60));
  const long = keys.find(name => [...metadata[name]!].length > 500);
  return long === undefined ? null : words.longDetail(long);
}

const only = (field: Field | 'row', fault: string | null): Faults => (fault ? { [field]: fault } : none);
