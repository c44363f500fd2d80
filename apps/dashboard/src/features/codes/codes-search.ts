import { maxTagsOfCode, sorts, statuses } from '@signpost/contract/values.ts';

/** What the list of codes shows, as the address of the page holds it. Whatever is wrong there is left out. */
export type CodesSearch = CodesFilters & {
  readonly page?: number;
  readonly sort?: Sort;
};

/** Which codes; each is a parameter of the API. */
export type CodesFilters = {
  readonly status?: Status;
  /** The archived codes, which lists leave out. */
  readonly archived?: true;
  readonly search?: string;
  readonly tag?: readonly string[];
  readonly destination_host?: string;
  /** The host of the account that short links are on. */
  readonly domain?: string;
  readonly created_from?: string;
  readonly created_to?: string;
};

type Status = (typeof statuses)[number];

export type Sort = (typeof sorts)[number];

export function parseCodesSearch(raw: Readonly<Record<string, unknown>>): CodesSearch {
  const page = Number(raw.page);
  const { sort } = raw;
  return {
    ...(Number.isInteger(page) && page > 1 ? { page } : {}),
    ...parseCodesFilters(raw),
    ...(isOneOf(sorts, sort) && sort !== 'created' ? { sort } : {}),
  };
}

/** The same without the page and the order. */
export function parseCodesFilters(raw: Readonly<Record<string, unknown>>): CodesFilters {
  const { status } = raw;
  const tag = [...new Set([raw.tag].flat().map(textOf))].filter(name => name !== '' && name.length <= 50);
  const [search, host, domain] = [textOf(raw.search), textOf(raw.destination_host), textOf(raw.domain)];
  return {
    ...(isOneOf(statuses, status) ? { status } : {}),
    ...(raw.archived === true ? { archived: true } : {}),
    ...(search ? { search } : {}),
    ...(tag.length > 0 ? { tag: tag.slice(0, maxTagsOfCode) } : {}),
    ...(host && host.length <= 253 ? { destination_host: host } : {}),
    ...(domain && domain.length <= 253 ? { domain } : {}),
    ...(isDay(raw.created_from) ? { created_from: raw.created_from } : {}),
    ...(isDay(raw.created_to) ? { created_to: raw.created_to } : {}),
  };
}

/** What narrows the list, for the number beside the button. The search has a field of its own. */
export const countFilters = ({ tag = [], ...rest }: CodesFilters): number =>
  tag.length +
  [rest.destination_host, rest.domain, rest.created_from, rest.created_to].filter(
    value => value !== undefined,
  ).length;

export const isFiltered = (search: CodesSearch): boolean => Object.keys(parseCodesFilters(search)).length > 0;

/** What the form of a new code may be opened with: the code to copy. */
export type NewCodeSearch = { readonly from?: string };

export const parseNewCodeSearch = ({ from }: Readonly<Record<string, unknown>>): NewCodeSearch =>
  typeof from === 'string' && from.startsWith('qr_') ? { from } : {};

/** The router reads digits as a number. */
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));

function isOneOf<Word extends string>(words: readonly Word[], value: unknown): value is Word {
  return (words as readonly unknown[]).includes(value);
}
