import { domainToASCII } from 'node:url';
import type { Mode } from '../kernel/caller.ts';
import { hostOf } from '../kernel/hosts.ts';
import type { Uuid } from '../kernel/ids.ts';

export const linkStatuses = ['active', 'paused', 'draft', 'deleted'] as const;

/** What a redirect needs to know about a code. */
export type Link = {
  readonly qrCodeId: Uuid;
  readonly accountId: Uuid;
  /** Both ids as bytes, 16 each, as scans hold them. */
  readonly idBytes: Uint8Array;
  readonly mode: Mode;
  readonly status: (typeof linkStatuses)[number];
  /** Stopped for safety, whatever status its owner has set. */
  readonly suspended: boolean;
  /** The destination as the Location header carries it. */
  readonly location: string;
  /** The host of the destination, in the form that blocked hosts are stored in. */
  readonly host: string;
};

export const idBytesOf = (qrCodeId: Uuid, accountId: Uuid): Uint8Array =>
  Uint8Array.from(Buffer.from(`${qrCodeId}${accountId}`.replaceAll('-', ''), 'hex'));

export const hostIn = (location: string): string => (URL.canParse(location) ? hostOf(new URL(location)) : '');

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
