/** Why phones out in the world cannot open a link, or get a warning first; null where they simply open it. */
export function addressFault(url: string): 'private' | 'insecure' | null {
  if (!URL.canParse(url)) return 'private';
  const { protocol, hostname } = new URL(url);
  if (isPrivateHost(hostname.toLowerCase())) return 'private';
  return protocol === 'https:' ? null : 'insecure';
}

/** Names that no public name server knows. */
const privateEndings = ['localhost', 'local', 'internal', 'lan', 'home', 'home.arpa', 'test', 'invalid'];

function isPrivateHost(host: string): boolean {
  if (host.startsWith('[')) return isPrivateIpv6(host.slice(1, -1));
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return isPrivateIpv4(host);
  return !host.includes('.') || privateEndings.some(ending => host.endsWith(`.${ending}`));
}

function isPrivateIpv4(host: string): boolean {
  const [first = 0, second = 0] = host.split('.').map(Number);
  return (
    first === 0 ||
    first === 10 ||
    first === 127 ||
    first >= 224 ||
    (first === 100 && second >= 64 && second < 128) ||
    (first === 169 && second === 254) ||
    (first === 172 && second >= 16 && second < 32) ||
    (first === 192 && second === 168)
  );
}

/** Addresses of the internet begin with 2 or 3; all others are local, mapped or reserved. */
const isPrivateIpv6 = (host: string) => !/^[23][0-9a-f]{3}:/.test(host);
