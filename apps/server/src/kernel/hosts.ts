/** The maximum length of a name in DNS, so of a name that can be blocked. */
export const maxHostLength = 253;

/** The parser makes it lower case and punycode; a trailing dot does not change the host. */
export const hostOf = (url: URL): string => url.hostname.replace(/\.$/, '');

/** A host and every domain above it: blocking any of these blocks the host. */
export function withParents(host: string): string[] {
  const labels = host.split('.');
  // A target may have thousands of labels. More than the last 127 are longer than any name that can be blocked.
  const last = labels.slice(-Math.ceil(maxHostLength / 2));
  return last.map((_, at) => last.slice(at).join('.')).filter(name => name.length <= maxHostLength);
}
