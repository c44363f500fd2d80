import { devices } from '@signpost/contract/values.ts';
import { countryName, nameOfAgent } from '../../ui/format.ts';

/** Which scans the page shows; each is a parameter of the API. */
export const filterKinds = ['tag', 'country', 'city', 'device', 'browser'] as const;
type FilterKind = (typeof filterKinds)[number];
export type Filters = {
  /** Of the whole account only: codes that have this tag. */
  readonly tag?: string;
  readonly country?: string;
  readonly city?: string;
  readonly device?: (typeof devices)[number];
  readonly browser?: string;
};

const forms: Readonly<Record<FilterKind, RegExp>> = {
  tag: /^.{1,50}$/u,
  country: /^[A-Z]{2}$/,
  city: /^.{1,200}$/u,
  device: new RegExp(`^(${devices.join('|')})$`),
  browser: /^[a-z_]{1,32}$/,
};

/** From the address of the page; what has not the form of a value is passed over. */
export function parseFilters(raw: Readonly<Record<string, unknown>>): Filters {
  const found = filterKinds.flatMap(kind => {
    // The router reads digits as a number, and a tag may be a year.
    const value = kind === 'tag' && typeof raw.tag === 'number' ? String(raw.tag) : raw[kind];
    return typeof value === 'string' && forms[kind].test(value) ? [[kind, value]] : [];
  });
  return Object.fromEntries(found);
}

/** The city goes with its country: there are many a Paris. */
export function withoutFilter(filters: Filters, kind: FilterKind): Filters {
  const gone = kind === 'country' ? ['country', 'city'] : [kind];
  return Object.fromEntries(Object.entries(filters).filter(([name]) => !gone.includes(name)));
}

export const hasFilters = (filters: Filters): boolean => Object.keys(filters).length > 0;

export const filterName = (kind: FilterKind, value: string): string =>
  kind === 'country' ? countryName(value) : kind === 'city' || kind === 'tag' ? value : nameOfAgent(value);
