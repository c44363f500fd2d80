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
