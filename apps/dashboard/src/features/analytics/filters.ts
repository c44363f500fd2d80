import { devices } from '@signpost/contract/values.ts';
import { countryName, nameOfAgent } from '../../ui/format.ts';

/** Which scans the page shows; each is a parameter of the API. */
export const filterKinds = ['tag', 'placement', 'target_id', 'country', 'city', 'device', 'browser'] as const;
type FilterKind = (typeof filterKinds)[number];
export type Filters = {
  /** Of the whole account only: codes that have this tag. */
  readonly tag?: string;
  /** Of one code only: the key of a placement, empty for scans without one. */
  readonly placement?: string;
  /** Of one code only: where its scans led. */
  readonly target_id?: string;
  readonly country?: string;
  readonly city?: string;
  readonly device?: (typeof devices)[number];
  readonly browser?: string;
};

const forms: Readonly<Record<FilterKind, RegExp>> = {
  tag: /^.{1,50}$/u,
  placement: /^[a-z0-9-]{0,24}$/,
  target_id: /^(tgt_[0-9a-hjkmnp-tv-z]{26}|default)$/,
  country: /^[A-Z]{2}$/,
  city: /^.{1,200}$/u,
  device: new RegExp(`^(${devices.join('|')})$`),
  browser: /^[a-z_]{1,32}$/,
};

/** From the address of the page; what has not the form of a value is passed over. */
export function parseFilters(raw: Readonly<Record<string, unknown>>): Filters {
  const found = filterKinds.flatMap(kind => {
    // The router reads digits as a number, and a tag may be a year, a placement a table.
    const isText = kind === 'tag' || kind === 'placement';
    const value = isText && typeof raw[kind] === 'number' ? String(raw[kind]) : raw[kind];
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

/** What a code calls its placements and destinations. */
export type CodeNames = {
  readonly placement: (key: string) => string;
  readonly target: (id: string) => string;
};

export function filterName(kind: FilterKind, value: string, names?: CodeNames): string {
  switch (kind) {
    case 'placement':
      return names?.placement(value) ?? value;
    case 'target_id':
      return names?.target(value) ?? value;
    case 'country':
      return countryName(value);
    case 'city':
    case 'tag':
      return value;
    default:
      return nameOfAgent(value);
  }
}
