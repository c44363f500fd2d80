/** Services that links come from, and how each names what a link has. Names are compared without case and signs. */
export type Source = {
  /** Files that it gives: where the list of links lies in its JSON. */
  readonly lists: readonly string[];
  readonly destination: readonly string[];
  /** The short link, or else its last part and its host. */
  readonly shortLink: readonly string[];
  readonly code: readonly string[];
  /** Further short links to the same place, each of which may have been printed. */
  readonly more: readonly string[];
  readonly host: readonly string[];
  readonly name: readonly string[];
  /** Filled in: behind it is a lock that would fall away. */
  readonly locked: readonly string[];
  /** Filled in: it does not last for ever there. */
  readonly ending: readonly string[];
  /** true: taken out of use there. */
  readonly banned: readonly string[];
};

const none: readonly string[] = [];

export const sources: Readonly<Record<string, Source>> = {
  bitly: {
    lists: ['links'],
    destination: ['long_url', 'destination_url', 'destination', 'original_url'],
    shortLink: ['link', 'bitlink', 'short_url', 'short_link', 'id'],
    code: ['back_half'],
    more: ['custom_bitlinks', 'custom_bitlink'],
    host: ['domain'],
    name: ['title'],
    locked: none,
    ending: ['expiration_at'],
    banned: ['is_deleted'],
  },
  dub: {
    lists: ['links', 'data', 'result'],
    destination: ['url', 'destination_url', 'long_url'],
    shortLink: ['short_link', 'short_url', 'link'],
    code: ['key', 'slug'],
    more: none,
    host: ['domain'],
    name: ['title', 'description', 'comments'],
    locked: ['password'],
    ending: ['expires_at', 'expired_url'],
    banned: ['disabled_at'],
  },
  shlink: {
    lists: ['short_urls.data', 'data'],
    destination: ['long_url'],
    shortLink: ['short_url'],
    code: ['short_code'],
    more: none,
    host: ['domain'],
    name: ['title'],
    locked: none,
    ending: ['meta.valid_until', 'meta.max_visits', 'valid_until', 'max_visits'],
    banned: none,
  },
  kutt: {
    lists: ['data', 'links'],
    destination: ['target', 'long_url'],
    shortLink: ['link', 'short_url'],
    code: ['address'],
    more: none,
    host: ['domain'],
    name: ['description'],
    locked: ['password'],
    ending: ['expire_in'],
    banned: ['banned'],
  },
};

export const sourceNames = Object.keys(sources);
