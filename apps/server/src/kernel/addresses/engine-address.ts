/** The engines that a process connects to. */
export type EngineName = 'postgres' | 'redis' | 'nats' | 'clickhouse';

/** What an operator knows them by. */
type EngineInfo = {
  readonly name: string;
  readonly setting: string;
  readonly example: string;
  readonly schemes: readonly string[];
  readonly port: number;
};

export const engineInfo: Readonly<Record<EngineName, EngineInfo>> = {
  postgres: {
    name: 'PostgreSQL',
    setting: 'DATABASE_URL',
    example: 'postgres://user:password@host:5432/database',
    schemes: ['postgres', 'postgresql'],
    port: 5432,
  },
  redis: {
    name: 'Redis',
    setting: 'REDIS_URL',
    example: 'redis://user:password@host:6379/0',
    schemes: ['redis', 'rediss'],
    port: 6379,
  },
  nats: {
    name: 'NATS',
    setting: 'NATS_URL',
    example: 'nats://user:password@host:4222',
    schemes: ['nats', 'tls'],
    port: 4222,
  },
  clickhouse: {
    name: 'ClickHouse',
    setting: 'CLICKHOUSE_URL',
    example: 'http://user:password@host:8123/database',
    schemes: ['http', 'https'],
    port: 8123,
  },
};

/** Whether an installation is one process without Redis and NATS: `signpost solo`. */
export const isSolo = ({
  redisUrl,
  natsUrl,
}: {
  readonly redisUrl: string;
  readonly natsUrl: string;
}): boolean => redisUrl === '' && natsUrl === '';

/** Returns the address as it is, or throws what is wrong with it. Addresses contain passwords: only the scheme is shown. */
export function checkEngineAddress(engine: EngineName, text: string): string {
  if (isSpecialForm(engine, text)) return text;
  const parts = engine === 'nats' ? text.split(',') : [text];
  for (const part of parts) checkUrl(engine, part.trim());
  return text;
}

function checkUrl(engine: EngineName, text: string): void {
  const { schemes, example } = engineInfo[engine];
  const scheme = /^([a-z][a-z\d+.-]{0,20}):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined)
    throw new Error(`is not an address: it does not begin with ${schemes[0]}://. Write it as ${example}`);
  if (scheme === 'chdb')
    throw new Error(
      'begins with chdb://, an engine that Signpost does not have. Leave it out: scans are stored in PostgreSQL',
    );
  if (!schemes.includes(scheme))
    throw new Error(`begins with ${scheme}:// instead of ${schemes[0]}://. Write it as ${example}`);
  const url = parseUrl(engine, text);
  // An @ after the host most likely ends a password that contains / ? or #.
  if (url === null || !isDecodable(url) || /[/?#].*@/.test(text.slice(scheme.length + 3)))
    throw new Error(
      `cannot be parsed after ${scheme}://. Write it as ${example}; in a user or a password write / ? # @ : and % as %2F %3F %23 %40 %3A and %25`,
    );
  if (engine === 'redis' && !/^\/?\d*$/.test(url.pathname))
    throw new Error(`names a database that is not a number. Write it as ${example}`);
}

/** Forms that the drivers accept besides URLs: a Unix socket, and Redis without redis://. */
const isSpecialForm = (engine: EngineName, text: string) =>
  (engine === 'postgres' && /^(\/|socket:\/)/.test(text)) ||
  (engine === 'redis' && (text.startsWith('/') || isBareRedis(text)));

const isBareRedis = (text: string) => /^([^/?#@\s]*@)?([\w.-]+|\[[\da-f:.]+\])(:\d+)?(\?[^@]*)?$/i.test(text);

/** Parsed as the drivers do: PostgreSQL's may omit the host, and takes a % literally if it begins no escape. */
function parseUrl(engine: EngineName, text: string): URL | null {
  if (engine === 'redis' && isBareRedis(text)) return URL.parse(`redis://${text}`);
  if (engine !== 'postgres') return URL.parse(text);
  const isPlain = / |%[^a-f0-9]|%[a-f0-9][^a-f0-9]/i.test(text);
  const escaped = isPlain ? encodeURI(text).replace(/%25(\d\d)/g, '%$1') : text;
  return URL.parse(escaped) ?? URL.parse(escaped.replace('@/', '@localhost/'));
}

function isDecodable({ username, password, pathname }: URL): boolean {
  try {
    for (const part of [username, password, pathname]) decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

/** Where a server of an engine should listen. */
export type ServerAddress = { readonly host: string; readonly port: number } | { readonly path: string };

/** The servers that a valid address names, without users and passwords. */
export function serverAddresses(engine: EngineName, address: string): readonly ServerAddress[] {
  const parts = engine === 'nats' ? address.split(',') : [address];
  return parts.map(part => serverAddress(engine, part.trim()));
}

function serverAddress(engine: EngineName, address: string): ServerAddress {
  // PostgreSQL's continues with the database, and Redis' may continue with a password.
  if (address.startsWith('/')) return { path: address.split(/[ ?]/)[0]! };
  const url = parseUrl(engine, address);
  if (url === null) return { path: 'an address that cannot be parsed' };
  if (url.protocol === 'socket:') return { path: decodeURIComponent(url.pathname) };
  // The driver of PostgreSQL also accepts both as parameters.
  const parameter = (name: string) => (engine === 'postgres' ? url.searchParams.get(name) : null);
  const host = parameter('host') ?? url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (engine === 'postgres' && /^(\/|%2f)/i.test(host)) return { path: decodeURIComponent(host) };
  const defaultPort =
    url.protocol === 'https:' ? 443 : url.protocol === 'http:' ? 80 : engineInfo[engine].port;
  const port = parameter('port') ?? url.port;
  return { host: host || 'localhost', port: Number(port || defaultPort) };
}

export const formatAddress = (address: ServerAddress): string =>
  'path' in address
    ? address.path
    : `${address.host.includes(':') ? `[${address.host}]` : address.host}:${address.port}`;

export const formatAddresses = (engine: EngineName, address: string): string =>
  serverAddresses(engine, address).map(formatAddress).join(', ');
