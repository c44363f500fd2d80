import { domainToASCII } from 'node:url';
import type { Mode } from '../kernel/caller.ts';
import { hostOf } from '../kernel/hosts.ts';
import type { Uuid } from '../kernel/ids.ts';

/** What a scanner's request needs to know of a code. */
export type Link = {
  readonly qrCodeId: Uuid;
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly status: 'active' | 'paused' | 'draft' | 'deleted';
  /** Stopped for safety, apart from what its owner has set. */
  readonly suspended: boolean;
  /** The destination as a header carries it. */
  readonly location: string;
  /** Where the destination leads, in the form that blocked hosts have. */
  readonly host: string;
};

export const hostIn = (location: string): string => (URL.canParse(location) ? hostOf(new URL(location)) : '');

const ascii = /^[ -~]*$/;
const others = /[^ -~]+/g;
/** What DNS takes, with a dot at its end. Punycode of thousands of letters would take a third of a second. */
const maxName = 254;

/**
 * A destination in ASCII, the one form that every client reads alike. What is ASCII already stays byte for byte; else the
 * host is written in punycode and the rest in percent-encoded UTF-8, each where it is needed and nowhere besides. It
 * leads where the destination leads.
 */
export function toLocation(destinationUrl: string): string {
  if (ascii.test(destinationUrl)) return destinationUrl;
  const [, scheme = '', host = '', port = '', rest = ''] =
    /^(https?:\/\/)([^/?#\\]*?)(:\d*)?([/?#\\].*)?$/is.exec(destinationUrl) ?? [];
  // Not a URL of ours; one like it is refused before it is stored.
  if (scheme === '') return encodeOthers(destinationUrl);
  // No name at all, in no form: refused today, but there may be some from before that.
  const name = ascii.test(host)
    ? host
    : (host.length <= maxName && domainToASCII(host)) || encodeOthers(host);
  return scheme + name + port + encodeOthers(rest);
}

const encodeOthers = (text: string): string =>
  text.replaceAll(others, some => encodeURIComponent(some.toWellFormed()));
