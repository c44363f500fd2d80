import { getHost } from './hosts.ts';
import { isDomainKey, type LinkName, parseLinkPath, parsePlacedLink, testKeySpace } from './link-key.ts';

/**
 * The addresses of short links, and the links that texts name. Nothing else knows what a short link begins with: config/
 * reads it, roles/ creates this from it, and doctor/ checks it.
 */
export type LinkNames = {
  /** What short links begin with, without the slash: `https://sign.example`. */
  readonly base: string;
  /** What the short links of an account's test codes begin with. */
  testBase(testTag: string): string;
  toUrl(name: LinkName): string;
  /** What short links on a domain begin with, without the slash: scheme and port are those of the service. */
  domainBase(host: string): string;
  /**
   * The key of a short link as users paste it: the whole link, with or without its scheme, followed by a query, a `+` or a
   * slash; or only the part after the host. Null if it is not a link of this installation, or on a domain: `parseOnDomain`.
   */
  parseKey(text: string): string | null;
  /** The same of a link on another host, which may be a domain: the key without its key space. */
  parseOnDomain(text: string): LinkOnDomain | null;
  /** Whether an address is one of a short link, whether or not the link exists. */
  covers(url: URL): boolean;
};

type LinkOnDomain = { readonly host: string; readonly key: string };

export function createLinkNames(base: string): LinkNames {
  const own = new URL(base);
  const prefix = own.pathname.replace(/\/$/, '');

  /** http and https lead to the same code: one redirects to the other, or only one is served. */
  function pathBelow(url: URL): string | null {
    const isSameHost = getHost(url) === getHost(own) && url.port === own.port;
    return isSameHost && url.pathname.startsWith(`${prefix}/`) ? url.pathname.slice(prefix.length) : null;
  }

  const port = own.port === '' ? '' : `:${own.port}`;
  const domainBase = (host: string) => `${own.protocol}//${host}${port}`;

  return {
    base,
    testBase: testTag => `${base}/${testKeySpace(testTag)}`.slice(0, -1),
    toUrl: ({ keySpace, shortCode, domain }) =>
      domain === null ? `${base}/${keySpace}${shortCode}` : `${domainBase(domain)}/${shortCode}`,
    domainBase,
    parseKey(text) {
      const url = parseAddress(text);
      const path = url && pathBelow(url);
      if (path !== null) return parseScannedPath(path);
      if (hasScheme(text)) return null;
      return isDomainKey(text) ? text : parsePastedPath(`/${text.replace(/^\//, '')}`);
    },
    parseOnDomain(text) {
      const url = parseAddress(text);
      // The port is no part of a domain: redirects do not look at it either.
      if (!url || pathBelow(url) !== null || !url.hostname.includes('.')) return null;
      const key = parseScannedPath(url.pathname);
      return key === null || key.includes('/') ? null : { host: getHost(url), key };
    },
    covers: url => pathBelow(url) !== null,
  };
}

/** The text as an address, with or without its scheme; null if it is none. */
export function parseAddress(text: string): URL | null {
  const whole = hasScheme(text) ? text : `https://${text}`;
  return URL.canParse(whole) ? new URL(whole) : null;
}

const hasScheme = (text: string) => /^https?:\/\//i.test(text);

/** The path of a link, or that of its preview, which ends with a plus sign. */
const parsePastedPath = (path: string): string | null => parseLinkPath(withoutPreview(path));

/** The same below a host, where a dot can only begin a placement: the link as it is printed there. */
const parseScannedPath = (path: string): string | null =>
  parsePastedPath(path) ?? parsePlacedLink(withoutPreview(path))?.key ?? null;

function withoutPreview(path: string): string {
  const [bare = ''] = path.split(/[?#]/, 1);
  return bare.replace(/(?:\+|%2b)\/?$/i, '');
}
