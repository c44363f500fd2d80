import { type ForeignRules, readDubRules, readShlinkRules } from './foreign-rules.ts';

/** A service to import from, and its names of the fields of a link. Names are compared without case and punctuation. */
export type ImportSource = {
  /** Where its JSON has the list of links. */
  readonly lists: readonly string[];
  readonly destination: readonly string[];
  /** The short link, or else its short code and its host. */
  readonly shortLink: readonly string[];
  readonly code: readonly string[];
  /** Further short links to the same destination, each of which may be printed. */
  readonly moreShortLinks: readonly string[];
  readonly host: readonly string[];
  readonly name: readonly string[];
  /** A list, also of objects with a name, or names in one cell. */
  readonly tags: readonly string[];
  /** Not empty: the link is protected by a password. */
  readonly password: readonly string[];
  /** Not empty: the link expires, and that cannot be kept. */
  readonly expiry: readonly string[];
  /** Its rules and schedule, where we have a counterpart. */
  readonly routing?: (record: Readonly<Record<string, unknown>>) => ForeignRules;
  /** Not empty: the link is disabled. */
  readonly disabled: readonly string[];
};

const none: readonly string[] = [];

export const sources: Readonly<Record<string, ImportSource>> = {
  bitly: {
    lists: ['links'],
    destination: ['long_url', 'destination_url', 'destination', 'original_url'],
    shortLink: ['link', 'bitlink', 'short_url', 'short_link', 'id'],
    code: ['back_half'],
    moreShortLinks: ['custom_bitlinks', 'custom_bitlink'],
    host: ['domain'],
    name: ['title'],
    tags: ['tags'],
    password: none,
    expiry: ['expiration_at'],
    disabled: ['is_deleted'],
  },
  dub: {
    lists: ['links', 'data', 'result'],
    destination: ['url', 'destination_url', 'long_url'],
    shortLink: ['short_link', 'short_url', 'link'],
    code: ['key', 'slug'],
    moreShortLinks: none,
    host: ['domain'],
    name: ['title', 'description', 'comments'],
    tags: ['tags', 'tag_names'],
    password: ['password'],
    expiry: none,
    routing: readDubRules,
    disabled: ['disabled_at'],
  },
  shlink: {
    lists: ['short_urls.data', 'data'],
    destination: ['long_url'],
    shortLink: ['short_url'],
    code: ['short_code'],
    moreShortLinks: none,
    host: ['domain'],
    name: ['title'],
    tags: ['tags'],
    password: none,
    expiry: none,
    routing: readShlinkRules,
    disabled: none,
  },
  kutt: {
    lists: ['data', 'links'],
    destination: ['target', 'long_url'],
    shortLink: ['link', 'short_url'],
    code: ['address'],
    moreShortLinks: none,
    host: ['domain'],
    name: ['description'],
    tags: none,
    password: ['password'],
    expiry: ['expire_in'],
    disabled: ['banned'],
  },
};

export const sourceNames = Object.keys(sources);
