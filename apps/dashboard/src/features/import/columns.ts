import { maxDestinationLength } from '@signpost/contract/values.ts';

/** What a row of an import has, and the column of the sheet that it comes from. */
export type Field = 'name' | 'destination' | 'ending';
export const fields: readonly Field[] = ['name', 'destination', 'ending'];

/** What a row may have besides, to find its code by. It is read, and not edited cell by cell. */
export type Extra = 'tags' | 'externalId' | 'note' | 'domain';
export const extras: readonly Extra[] = ['tags', 'externalId', 'note', 'domain'];

export type Columns = { readonly [F in Field | Extra]: number | null } & {
  /** Columns that are kept as details of the code, under their own names. */
  readonly metadata: readonly number[];
};

/** A service whose export we know by its column names. */
export type Service = 'Bitly' | 'Dub' | 'Shlink' | 'Kutt';

export type Recognised = {
  /** The names of the columns; null where the first row is a code already. */
  readonly headings: readonly string[] | null;
  readonly columns: Columns;
  readonly service: Service | null;
};

type Names = { readonly [F in Field]: readonly string[] };

/** The same in every sheet. */
const extraNames: Readonly<Record<Extra, readonly string[]>> = {
  tags: ['tags', 'tag', 'tag_names', 'labels'],
  externalId: ['external_id', 'reference', 'ref'],
  note: ['note', 'notes', 'comments', 'comment'],
  domain: ['domain'],
};

/** The columns of other services, the best first. Names are compared without case and punctuation. */
const services: Readonly<Record<Service, Names>> = {
  Bitly: {
    name: ['title'],
    destination: ['long_url', 'original_url', 'destination_url', 'destination'],
    ending: ['custom_bitlink', 'back_half', 'bitlink', 'link', 'short_link', 'short_url'],
  },
  Dub: {
    name: ['title', 'description', 'comments'],
    destination: ['destination_url', 'url', 'long_url'],
    ending: ['key', 'slug', 'short_link', 'link'],
  },
  Shlink: {
    name: ['title'],
    destination: ['long_url'],
    ending: ['short_code', 'short_url'],
  },
  Kutt: {
    name: ['description'],
    destination: ['target'],
    ending: ['address', 'link'],
  },
};

/** What sheets of one's own call the same. */
const common: Names = {
  name: ['name', 'title', 'label', 'code', 'qr_code', 'qr_name', 'code_name', 'description', 'campaign'],
  destination: [
    'destination',
    'destination_url',
    'target',
    'target_url',
    'url',
    'long_url',
    'original_url',
    'website',
    'web_address',
    'link',
    'href',
    'page',
  ],
  ending: [
    'ending',
    'link_ending',
    'custom_link_ending',
    'short_code',
    'slug',
    'alias',
    'back_half',
    'key',
    'keyword',
    'short_link',
    'short_url',
  ],
};

/** Column names that one service alone writes. */
const marks: Readonly<Record<Service, readonly (readonly string[])[]>> = {
  Bitly: [['bitlink'], ['custom_bitlink'], ['long_url', 'link'], ['back_half']],
  Dub: [
    ['destination_url', 'short_link'],
    ['url', 'key', 'domain'],
  ],
  Shlink: [['long_url', 'short_code']],
  Kutt: [['target', 'address']],
};

/** Columns that our own export has together. */
const ownMarks = ['short_url', 'external_id', 'unique_scans'];

/** Finds out which column is which; what is found can be changed. */
export function recognise(rows: readonly (readonly string[])[]): Recognised {
  const [first = []] = rows;
  const service = serviceOf(first);
  const found = columnsNamed(first, service ? services[service] : common);
  const isHeading = fields.some(field => found[field] !== null) && !first.some(isAddressOfCode);
  if (isHeading) return { headings: first, columns: withDestination(found, rows.slice(1)), service };
  if (!first.some(isAddressOfCode) && rows.length > 1 && rows[1]!.some(isAddress)) {
    // Words that we do not know above addresses: names of columns all the same.
    return { headings: first, columns: guess(rows.slice(1)), service: null };
  }
  return { headings: null, columns: guess(rows), service: null };
}

/** No name of a column is longer; a cell may be. */
const maxNameLength = 60;
const normalize = (name: string) =>
  name
    .slice(0, maxNameLength)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');

export const indexOfName = (headings: readonly string[], name: string) =>
  headings.findIndex(heading => normalize(heading) === normalize(name));

const serviceOf = (headings: readonly string[]): Service | null =>
  (Object.keys(marks) as Service[]).find(service =>
    marks[service].some(mark => mark.every(name => indexOfName(headings, name) !== -1)),
  ) ?? null;

/** Each field takes the best of its names that no other field has taken; the destination chooses first. */
function columnsNamed(headings: readonly string[], names: Names): Columns {
  const taken = new Set<number>();
  const find = (field: Field): number | null => {
    const at = names[field]
      .map(name => indexOfName(headings, name))
      .find(index => index !== -1 && !taken.has(index));
    if (at === undefined) return null;
    taken.add(at);
    return at;
  };
  const destination = find('destination');
  const ending = find('ending');
  const name = find('name');
  // In other sheets it may be the domain of anything: only beside the short links of our own export it is theirs.
  const isOwnExport = ownMarks.every(name => indexOfName(headings, name) !== -1);
  const others = extras.map(extra => {
    if (extra === 'domain' && !isOwnExport) return [extra, null] as const;
    const at = extraNames[extra]
      .map(one => indexOfName(headings, one))
      .find(index => index !== -1 && !taken.has(index));
    if (at !== undefined) taken.add(at);
    return [extra, at ?? null] as const;
  });
  // As our own export and the API name them.
  const metadata = headings.flatMap((heading, at) =>
    /^metadata(\.|$)/i.test(heading) && !taken.has(at) ? [at] : [],
  );
  return {
    name,
    destination,
    ending,
    ...(Object.fromEntries(others) as Record<Extra, number | null>),
    metadata,
  };
}

/** Where no heading says so, the destination is the column with the most addresses. */
function withDestination(columns: Columns, rows: readonly (readonly string[])[]): Columns {
  if (columns.destination !== null) return columns;
  const { destination } = guess(rows);
  const isTaken = destination !== null && Object.values(columns).flat().includes(destination);
  return isTaken ? columns : { ...columns, destination };
}

const none: Columns = {
  name: null,
  destination: null,
  ending: null,
  tags: null,
  externalId: null,
  note: null,
  domain: null,
  metadata: [],
};

/** Without headings: addresses are the destination, the first other column is the name, a third one the ending. */
function guess(rows: readonly (readonly string[])[]): Columns {
  const sample = rows.slice(0, 50);
  const width = Math.max(0, ...sample.map(cells => cells.length));
  const counts = Array.from(
    { length: width },
    (_, at) => sample.filter(cells => isAddress(cells[at] ?? '')).length,
  );
  const most = Math.max(0, ...counts);
  const destination = most > 0 ? counts.indexOf(most) : width > 1 ? 1 : null;
  const others = counts.map((_, at) => at).filter(at => at !== destination);
  return { ...none, name: others[0] ?? null, destination, ending: others[1] ?? null };
}

/** `metadata.table` could be a host, but names a column. */
const isAddressOfCode = (cell: string): boolean => isAddress(cell) && !/^metadata\./i.test(cell);

const isAddress = (cell: string): boolean => /^https?:\/\/\S+$/i.test(cell) || isBareHost(cell);

/** `example.com/menu`, as people write addresses. */
export const isBareHost = (cell: string): boolean =>
  // No destination is longer, and the expression would run out of stack on megabytes.
  cell.length <= maxDestinationLength &&
  /^(?:[a-z0-9-]+\.)+[a-z]{2,24}(?::\d{1,5})?(?:[/?#]\S*)?$/i.test(cell);
