/** The engines that a process talks to, and how an operator knows them. */
export type EngineName = 'postgres' | 'redis' | 'nats' | 'clickhouse';

type EngineWords = {
  readonly name: string;
  readonly setting: string;
  readonly form: string;
  readonly schemes: readonly string[];
  readonly port: number;
};

export const engineWords: Readonly<Record<EngineName, EngineWords>> = {
  postgres: {
    name: 'PostgreSQL',
    setting: 'DATABASE_URL',
    form: 'postgres://user:password@host:5432/database',
    schemes: ['postgres', 'postgresql'],
    port: 5432,
  },
  redis: {
    name: 'Redis',
    setting: 'REDIS_URL',
    form: 'redis://user:password@host:6379/0',
    schemes: ['redis', 'rediss'],
    port: 6379,
  },
  nats: {
    name: 'NATS',
    setting: 'NATS_URL',
    form: 'nats://user:password@host:4222',
    schemes: ['nats', 'tls'],
    port: 4222,
  },
  clickhouse: {
    name: 'ClickHouse',
    setting: 'CLICKHOUSE_URL',
    form: 'http://user:password@host:8123/database',
    schemes: ['http', 'https', 'chdb'],
    port: 8123,
  },
};

/** Returns the address as it is, or throws what is wrong with it. Addresses hold passwords: no more than the scheme is shown. */
export function checkEngineAddress(engine: EngineName, text: string): string {
  if (isSpecialForm(engine, text)) return text;
  const parts = engine === 'nats' ? text.split(',') : [text];
  for (const part of parts) checkOne(engine, part.trim());
  return text;
}

function checkOne(engine: EngineName, text: string): void {
  const { schemes, form } = engineWords[engine];
  const scheme = /^([a-z][a-z\d+.-]{0,20}):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined)
    throw new Error(`is not an address: it does not begin with ${schemes[0]}://. Write it as ${form}`);
  if (!schemes.includes(scheme))
    throw new Error(`begins with ${scheme}:// instead of ${schemes[0]}://. Write it as ${form}`);
  const url = urlOf(engine, text);
  // An @ behind the host is most likely the end of a password with a / ? or # in it.
  if (url === null || !decodes(url) || /[/?#].*@/.test(text.slice(scheme.length + 3)))
    throw new Error(
      `cannot be read after ${scheme}://. Write it as ${form}; in a user or a password write / ? # @ : and % as %2F %3F %23 %40 %3A and %25`,
    );
  if (scheme === 'chdb' && !/^\/./.test(url.pathname))
    throw new Error('has no path. Write it with three slashes, as chdb:///var/lib/signpost/clickhouse');
  if (engine === 'redis' && !/^\/?\d*$/.test(url.pathname))
    throw new Error(`names a database that is not a number. Write it as ${form}`);
}

/** Forms that the drivers know besides URLs: a Unix socket, and Redis without redis://. */
const isSpecialForm = (engine: EngineName, text: string) =>
  (engine === 'postgres' && /^(\/|socket:\/)/.test(text)) ||
  (engine === 'redis' && (text.startsWith('/') || isBareRedis(text)));

const isBareRedis = (text: string) => /^([^/?#@\s]*@)?([\w.-]+|\[[\da-f:.]+\])(:\d+)?(\?[^@]*)?$/i.test(text);

/** As the drivers read them: PostgreSQL's may leave the host out, and has a % taken as it is where nothing else fits. */
function urlOf(engine: EngineName, text: string): URL | null {
  if (engine === 'redis' && isBareRedis(text)) return URL.parse(`redis://${text}`);
  if (engine !== 'postgres') return URL.parse(text);
  const isPlain = / |%[^a-f0-9]|%[a-f0-9][^a-f0-9]/i.test(text);
  const escaped = isPlain ? encodeURI(text).replace(/%25(\d\d)/g, '%$1') : text;
  return URL.parse(escaped) ?? URL.parse(escaped.replace('@/', '@localhost/'));
}

function decodes({ username, password, pathname }: URL): boolean {
  try {
    for (const part of [username, password, pathname]) decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

/** Where an engine should be. */
export type Place = { readonly host: string; readonly port: number } | { readonly path: string };

/** The places that a good address names, without users and passwords. */
export function placesOf(engine: EngineName, address: string): readonly Place[] {
  const parts = engine === 'nats' ? address.split(',') : [address];
  return parts.map(part => placeOf(engine, part.trim()));
}

function placeOf(engine: EngineName, address: string): Place {
  // Behind it PostgreSQL's has the database, and Redis' may have a password.
  if (address.startsWith('/')) return { path: address.split(/[ ?]/)[0]! };
  const url = urlOf(engine, address);
  if (url === null) return { path: 'an address that cannot be read' };
  if (/^(chdb|socket):$/.test(url.protocol)) return { path: decodeURIComponent(url.pathname) };
  // The driver of PostgreSQL takes both as parameters too.
  const given = (name: string) => (engine === 'postgres' ? url.searchParams.get(name) : null);
  const host = given('host') ?? url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (engine === 'postgres' && /^(\/|%2f)/i.test(host)) return { path: decodeURIComponent(host) };
  const standard = url.protocol === 'https:' ? 443 : url.protocol === 'http:' ? 80 : engineWords[engine].port;
  const port = given('port') ?? url.port;
  return { host: host || 'localhost', port: Number(port || standard) };
}

export const placeWords = (place: Place): string =>
  'path' in place ? place.path : `${place.host.includes(':') ? `[${place.host}]` : place.host}:${place.port}`;

export const placesWords = (engine: EngineName, address: string): string =>
  placesOf(engine, address).map(placeWords).join(', ');
