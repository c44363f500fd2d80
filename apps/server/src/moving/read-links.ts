import { AppError } from '../kernel/errors.ts';
import { parseCsv } from './csv.ts';
import type { ImportedLink } from './imported-link.ts';
import { type Source, sourceNames, sources } from './sources.ts';

/** The links of a file that another service has given: its CSV export, or the JSON of its API. */
export function readLinks(from: string, text: string): readonly ImportedLink[] {
  const source = Object.hasOwn(sources, from) ? sources[from] : undefined;
  if (!source) throw refuse(`--from must be one of ${sourceNames.join(', ')}.`);
  const records = /^\s*[[{]/.test(text) ? fromJson(text, source) : parseCsv(text);
  if (records.length === 0) throw refuse('No links are in the file.');
  const links = records.flatMap((record, index) => toLinks(fieldsOf(record), source, index + 1));
  if (links.every(link => link.destinationUrl === '')) {
    throw refuse(
      `The file has no destinations. Its fields are ${Object.keys(records[0] as object).join(', ')}; ` +
        `one of ${source.destination.join(', ')} is looked for.`,
    );
  }
  return links;
}

function fromJson(text: string, source: Source): readonly unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw refuse('The file looks like JSON, but is not.', cause);
  }
  if (Array.isArray(value)) return value;
  const fields = fieldsOf(value);
  const list = source.lists.map(name => fields.get(plain(name))).find(Array.isArray);
  if (!list) throw refuse(`The JSON has no list of links; one of ${source.lists.join(', ')} is looked for.`);
  return list;
}

type Fields = ReadonlyMap<string, unknown>;

/** Every field by its plain name; those of an object inside with its name before theirs. */
function fieldsOf(record: unknown, before = ''): Fields {
  return new Map(
    Object.entries((record ?? {}) as object).flatMap(([name, value]): (readonly [string, unknown])[] => {
      const key = plain(before + name);
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[key, value]];
      return [...fieldsOf(value, `${before}${name}.`)];
    }),
  );
}

/** `Short Link`, `short_link` and `shortLink` are one name. */
const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

function toLinks(fields: Fields, source: Source, row: number): readonly ImportedLink[] {
  const text = (names: readonly string[]) =>
    names.map(name => String(fields.get(plain(name)) ?? '').trim()).find(value => value !== '') ?? '';
  const isSet = (names: readonly string[]) => !/^(|false|0|null|no)$/i.test(text(names));
  const destinationUrl = text(source.destination);
  const refusal = isSet(source.locked)
    ? 'it is behind a password there, which would fall away'
    : isSet(source.banned)
      ? 'it is taken out of use there'
      : undefined;
  const first = partsOf(text(source.shortLink));
  const shortLinks = [
    { host: first.host || text(source.host).toLowerCase(), code: text(source.code) || first.code },
    // A list, or as much written in one cell.
    ...(text(source.more).match(/[^\s,;[\]"]+/g) ?? []).map(partsOf),
  ];
  const distinct = shortLinks.filter(
    ({ host, code }, at) => shortLinks.findIndex(one => one.host === host && one.code === code) === at,
  );
  return distinct.map(({ host, code }) => ({
    row,
    shortCode: code,
    host,
    destinationUrl,
    name: (text(source.name) || code || destinationUrl).slice(0, 255),
    notes: isSet(source.ending) ? ['it ends there at some time; here it stays'] : [],
    ...(refusal ? { refusal } : {}),
  }));
}

/** `https://go.example.com/abc`, with or without what it begins with, as its host and last part. */
function partsOf(shortLink: string): { readonly host: string; readonly code: string } {
  const [host = '', ...path] = shortLink.replace(/^https?:\/\//i, '').split('/');
  return path.length > 0
    ? { host: host.toLowerCase(), code: path.join('/').replace(/\/+$/, '') }
    : { host: '', code: '' };
}

const refuse = (message: string, cause?: unknown) => new AppError('invalid_request', message, { cause });
