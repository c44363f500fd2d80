/** The longest name that DNS knows, so the longest that can be blocked. */
export const maxHostLength = 253;

/** Lower case and punycode by the parser; a dot at the end changes nothing of where a name leads. */
export const hostOf = (url: URL): string => url.hostname.replace(/\.$/, '');

/** A host and every domain above it: blocking any of these blocks the host. */
export function withParents(host: string): string[] {
  const labels = host.split('.');
  // A destination may have thousands of labels. With more than the last 127 it is longer than what can be blocked.
  const last = labels.slice(-Math.ceil(maxHostLength / 2));
  return last.map((_, at) => last.slice(at).join('.')).filter(name => name.length <= maxHostLength);
}
