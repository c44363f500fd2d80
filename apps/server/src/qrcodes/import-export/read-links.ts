import { maxTagsOfCode } from '@signpost/contract';
import { AppError } from '../../kernel/errors.ts';
import { parseCsv } from './csv.ts';
import type { ImportedLink } from './imported-link.ts';
import { type ImportSource, sourceNames, sources } from './sources.ts';

/** The links in a file of another service: its CSV export, or the JSON of its API. */
export function readLinks(from: string, text: string): readonly ImportedLink[] {
  const source = Object.hasOwn(sources, from) ? sources[from] : undefined;
  if (!source) throw refuse(`--from must be one of ${sourceNames.join(', ')}.`);
  const records = /^\s*[[{]/.test(text) ? fromJson(text, source) : parseCsv(text);
  if (records.length === 0) throw refuse('The file has no links.');
  const links = records.flatMap((record, index) => toLinks(record, source, index + 1));
  if (links.every(link => link.destinationUrl === '')) {
    throw refuse(
      `The file has no destinations. Its fields are ${Object.keys(records[0] as object).join(', ')}; ` +
        `one of ${source.destination.join(', ')} is needed.`,
    );
  }
  return links;
}

function fromJson(text: string, source: ImportSource): readonly unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw refuse('The file looks like JSON but cannot be parsed.', cause);
  }
  if (Array.isArray(value)) return value;
  const fields = flattenFields(value);
  const list = source.lists.map(name => fields.get(normalize(name))).find(Array.isArray);
  if (!list) throw refuse(`The JSON has no list of links; one of ${source.lists.join(', ')} is needed.`);
  return list;
}

type Fields = ReadonlyMap<string, unknown>;

/** Every field by its normalized name; nested fields have the name of their object as a prefix. */
function flattenFields(record: unknown, prefix = ''): Fields {
  return new Map(
    Object.entries((record ?? {}) as object).flatMap(([name, value]): (readonly [string, unknown])[] => {
      const key = normalize(prefix + name);
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[key, value]];
      return [...flattenFields(value, `${prefix}${name}.`)];
    }),
  );
}

/** `Short Link`, `short_link` and `shortLink` are the same name. */
const normalize = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

function toLinks(record: unknown, source: ImportSource, row: number): readonly ImportedLink[] {
  const fields = flattenFields(record);
  const other = source.routing?.((record ?? {}) as Readonly<Record<string, unknown>>);
  const text = (names: readonly string[]) =>
    names.map(name => String(fields.get(normalize(name)) ?? '').trim()).find(value => value !== '') ?? '';
  const isSet = (names: readonly string[]) => !/^(|false|0|null|no)$/i.test(text(names));
  const destinationUrl = text(source.destination);
  const refusal = isSet(source.password)
    ? 'it is protected by a password, which is not supported here'
    : isSet(source.disabled)
      ? 'it is disabled there'
      : undefined;
  const tags = source.tags.flatMap(name => parseTags(fields.get(normalize(name))));
  const fitting = tags.filter(tag => tag.length <= maxTagLength).slice(0, maxTagsOfCode);
  const first = splitShortLink(text(source.shortLink));
  const shortLinks = [
    { host: first.host || text(source.host).toLowerCase(), code: text(source.code) || first.code },
    // A list, or several links in one cell.
    ...(text(source.moreShortLinks).match(/[^\s,;[\]"]+/g) ?? []).map(splitShortLink),
  ];
  const distinct = shortLinks.filter(
    ({ host, code }, index) =>
      shortLinks.findIndex(other => other.host === host && other.code === code) === index,
  );
  return distinct.map(({ host, code }) => ({
    row,
    shortCode: code,
    host,
    destinationUrl,
    name: (text(source.name) || code || destinationUrl).slice(0, 255),
    tags: fitting,
    routing: other?.routing ?? {},
    notes: [
      ...(other?.notes ?? []),
      ...(isSet(source.expiry) ? ['it expires there; here it does not'] : []),
      ...(fitting.length < tags.length
        ? [`${tags.length - fitting.length} of its tags do not fit here`]
        : []),
    ],
    ...(refusal ? { refusal } : {}),
  }));
}

const maxTagLength = 50;

/** Names of tags: of a list, of objects with a name, or of one cell. Shlink separates them by |, others by commas. */
function parseTags(value: unknown): readonly string[] {
  const names = Array.isArray(value) ? value.map(toTagName) : String(value ?? '').split(/[|,;]/);
  return [...new Set(names.map(name => name.trim()).filter(name => name !== ''))];
}

const toTagName = (tag: unknown): string =>
  String(typeof tag === 'object' && tag !== null && 'name' in tag ? tag.name : tag);

/** Splits `https://go.example.com/abc`, with or without the scheme, into host and short code. */
function splitShortLink(shortLink: string): { readonly host: string; readonly code: string } {
  const [host = '', ...path] = shortLink.replace(/^https?:\/\//i, '').split('/');
  return path.length > 0
    ? { host: host.toLowerCase(), code: path.join('/').replace(/\/+$/, '') }
    : { host: '', code: '' };
}

const refuse = (message: string, cause?: unknown) => new AppError('invalid_request', message, { cause });
