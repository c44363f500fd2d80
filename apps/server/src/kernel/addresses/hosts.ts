/** The maximum length of a name in DNS, so of a name that can be blocked. */
const maxHostLength = 253;

/** The parser makes it lower case and punycode; trailing dots do not change the host. */
export function getHost({ hostname }: URL): string {
  let end = hostname.length;
  while (hostname[end - 1] === '.') end--;
  return hostname.slice(0, end);
}

/** No resolver knows such a name, and comparing it with a list of hosts would find nothing. One trailing dot is part of DNS. */
export const hasEmptyLabel = ({ hostname }: URL): boolean =>
  hostname.startsWith('.') || hostname.includes('..');

/** A host that stands by itself, in the form in which destinations are compared; null if it is none. */
export function parseHost(text: string): string | null {
  const address = `http://${text}`;
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.href !== `http://${url.hostname}/` || hasEmptyLabel(url)) return null;
  const host = getHost(url);
  // A name without a dot is a whole top-level domain or a typo, and neither is easy to undo.
  const isName = /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(host) && host.length <= maxHostLength;
  return isName || host.startsWith('[') ? host : null;
}

/**
 * The host of a Host header, in the form in which domains are stored: without a port and trailing dots, in lower case. Empty
 * where there is none, or where it is not one.
 */
export function parseHostHeader(header: string | undefined): string {
  if (header === undefined || header.length > maxHeaderLength) return '';
  const [, host = ''] = hostHeader.exec(header) ?? [];
  return host.toLowerCase();
}

const hostHeader = /^(\[[\da-f:.]+\]|[\w-]+(?:\.[\w-]+)*)\.?(?::\d*)?$/i;
/** A name, a dot and a port. */
const maxHeaderLength = maxHostLength + 7;

/** A host and every domain above it: blocking any of these blocks the host. */
export function withParents(host: string): string[] {
  const labels = host.split('.');
  // A target may have thousands of labels. More than the last 127 are longer than any name that can be blocked.
  const last = labels.slice(-Math.ceil(maxHostLength / 2));
  return last.map((_, at) => last.slice(at).join('.')).filter(name => name.length <= maxHostLength);
}

/**
 * Whether a column is a host or one of its subdomains. Reversed, both are one range of an index: `elpmaxe.live`, and the names that
 * begin with `elpmaxe.live.`, up to the character after the dot.
 */
export const isHostOrBelow = (column: string, host: string) =>
  `(reverse(${column}) collate "C" = reverse(${host}) or
    (reverse(${column}) collate "C" >= reverse(${host}) || '.' and reverse(${column}) collate "C" < reverse(${host}) || '/'))`;

/** A column of hosts in an order in which each host directly precedes its subdomains: `elpmaxe.`, `elpmaxe.live.`. */
export const reversedHost = (column: string) => `(reverse(${column}) || '.')`;

/**
 * `withParents` of a column, as an SQL array. It takes time by the square of the length, since PostgreSQL counts characters
 * from the start: not for thousands of hosts.
 */
export const hostAndParentsSql = (column: string) =>
  `array(select substr(${column}, at) from generate_series(greatest(1, length(${column}) - 252), length(${column})) at
          where at = 1 or substr(${column}, at - 1, 1) = '.')`;
