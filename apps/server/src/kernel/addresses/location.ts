import { domainToASCII } from 'node:url';
import { getHost } from './hosts.ts';

/** The host of a location, in the form that blocked hosts are stored in; empty where none can be read. */
export const parseHost = (location: string): string =>
  URL.canParse(location) ? getHost(new URL(location)) : '';

const ascii = /^[ -~]*$/;
const nonAscii = /[^ -~]+/g;
/** The limit of DNS, with a trailing dot. Punycode of thousands of letters would take a third of a second. */
const maxNameLength = 254;

/**
 * A destination in ASCII, the one form that every client reads alike. An ASCII destination stays byte for byte. Otherwise the
 * host is written in punycode and the rest in percent-encoded UTF-8, only where needed. It leads to the same page.
 */
export function toLocation(destinationUrl: string): string {
  if (ascii.test(destinationUrl)) return destinationUrl;
  const [, scheme = '', host = '', port = '', rest = ''] =
    /^(https?:\/\/)([^/?#\\]*?)(:\d*)?([/?#\\].*)?$/is.exec(destinationUrl) ?? [];
  // Not an http URL: the API refuses those before they are stored.
  if (scheme === '') return encodeNonAscii(destinationUrl);
  // Not a valid host name: refused today, but older codes may have one.
  const name = ascii.test(host)
    ? host
    : (host.length <= maxNameLength && domainToASCII(host)) || encodeNonAscii(host);
  return scheme + name + port + encodeNonAscii(rest);
}

const encodeNonAscii = (text: string): string =>
  text.replaceAll(nonAscii, run => encodeURIComponent(run.toWellFormed()));

/** What RFC 3986 allows in no path, query or fragment, and a `%` that begins no escape. */
const outsideUri = /[^\w\-.~!$&'()*+,;=:@/?%]|%(?![\dA-Fa-f]{2})/g;

/** ASCII text with everything percent-encoded that RFC 3986 does not allow. What is encoded already stays. */
export const encodeOutsideUri = (text: string): string =>
  text.replace(outsideUri, letter => `%${letter.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

/** The beginning of an http URL up to its path. Only there may brackets stand: around an IPv6 address. */
const beforePath = /^https?:\/\/[^/?#\\]*/i;

/** Nearly all locations: nothing in them needs a closer look. */
const plainUri = /^https?:\/\/[\w\-.]+(?:[:/?][\w\-.~!$&'()*+,;=:@/?]*)?$/;

/** A location as a URI of RFC 3986 that leads to the same page. */
export function toUri(location: string): string {
  if (plainUri.test(location)) return location;
  const [start = ''] = beforePath.exec(location) ?? [];
  const hash = location.indexOf('#');
  const fragment = hash < 0 ? '' : `#${encodeOutsideUri(location.slice(hash + 1))}`;
  const rest = location.slice(start.length, hash < 0 ? undefined : hash);
  const query = rest.indexOf('?');
  const path = query < 0 ? rest : rest.slice(0, query);
  // Browsers read a backslash in a path as a slash.
  const written = encodeOutsideUri(path.replaceAll('\\', '/'));
  const host = start.includes('[') ? start : encodeOutsideUri(start);
  return host + written + (query < 0 ? '' : encodeOutsideUri(rest.slice(query))) + fragment;
}
