import { connect } from '@nats-io/transport-node';
import type { Config } from '../config/config.ts';
import { type EngineName, isSolo } from '../kernel/addresses/engine-address.ts';
import type { Lifecycle } from '../kernel/running/lifecycle.ts';
import { withTimeout } from '../kernel/running/with-timeout.ts';
import { type ClickHouse, createClickHouse } from '../platform/clickhouse/clickhouse.ts';
import { diagnoseThoroughly, type EngineDiagnosis } from '../platform/diagnosis/engine-diagnosis.ts';
import { connectionOptions, type NatsConnection } from '../platform/nats/nats.ts';
import { createPostgres, type Database, sql } from '../platform/postgres/postgres.ts';
import { createRedis, type RedisClient } from '../platform/redis/redis.ts';
import { readUnknownHosts } from '../redirect/unknown-hosts.ts';
import { createPlaceNames, hashPlaceNames, type PlaceNamesSource } from '../rules/place-names.ts';
import { chooseGeoipFiles, readLocations } from '../scans/geoip/geoip.ts';

/** What the checks work on: the settings, and the engines that could be reached. */
export type DoctorContext = {
  readonly config: Config;
  readonly postgres: Connection<{ readonly db: Database; readonly version: string }>;
  readonly redis: Connection<{ readonly client: RedisClient } & RedisVersion>;
  readonly nats: NatsEngine;
  /** The NATS of the scan log: the same as `nats`, unless LOG_NATS_URL names another. */
  readonly logNats: NatsEngine;
  readonly clickhouse: Connection<{ readonly client: ClickHouse; readonly version: string }>;
  readonly placeNames: PlaceNamesSource;
  readonly unknownHosts: UnknownHostsSource;
};

/** What a process that runs the checks has open already: an engine inside it cannot be opened twice. */
export type InUse = {
  readonly clickhouse: ClickHouse | null;
  readonly placeNames: PlaceNamesSource;
  readonly unknownHosts: UnknownHostsSource;
};

/** Names that were asked for and that nobody has; null where this process cannot know them. */
type UnknownHostsSource = () => Promise<readonly string[] | null>;

export type NatsEngine = Connection<{ readonly connection: NatsConnection; readonly version: string }>;

/** A connection to an engine, or why there is none. */
export type Connection<Engine> =
  | ({ readonly error: null } & Engine)
  | { readonly error: unknown; readonly fault: EngineDiagnosis | null };

const timeoutMs = 4_000;

/** An engine that this installation does without. */
const unused = { error: new Error('It is not used'), fault: null };

/**
 * Connects to every engine at the same time and reads its version. The lifecycle closes the connections; a client of
 * ClickHouse that is in use already is left open.
 */
export async function connectAll(
  config: Config,
  lifecycle: Lifecycle,
  inUse?: InUse,
): Promise<DoctorContext> {
  const connectTo = <Engine>(
    name: EngineName,
    address: string,
    opening: Promise<Engine>,
  ): Promise<Connection<Engine>> =>
    withTimeout(timeoutMs, opening).then(
      engine => ({ error: null, ...engine }),
      async error => ({ error, fault: await diagnoseThoroughly(name, address, error) }),
    );
  const nats: Promise<NatsEngine> = isSolo(config)
    ? Promise.resolve(unused)
    : connectTo('nats', config.busNatsUrl, openNats(config.busNatsUrl, lifecycle));
  const logNats =
    config.logNatsUrl === config.busNatsUrl
      ? nats
      : connectTo('nats', config.logNatsUrl, openNats(config.logNatsUrl, lifecycle));
  const [postgres, redis, clickhouse] = await Promise.all([
    connectTo('postgres', config.databaseUrl, openPostgres(config, lifecycle)),
    config.redisUrl === '' ? unused : connectTo('redis', config.redisUrl, openRedis(config, lifecycle)),
    config.clickhouseUrl === ''
      ? unused
      : connectTo('clickhouse', config.clickhouseUrl, openClickHouse(config, lifecycle, inUse?.clickhouse)),
  ]);
  const placeNames = inUse?.placeNames ?? (() => readPlaceNames(config));
  // In solo they are in the memory of its one process.
  const unknownHosts =
    inUse?.unknownHosts ??
    (async () => ('client' in redis ? readUnknownHosts(redis.client, new Date()) : null));
  return {
    ...{ config, postgres, redis, nats: await nats, logNats: await logNats, clickhouse },
    ...{ placeNames, unknownHosts },
  };
}

async function openPostgres(config: Config, lifecycle: Lifecycle) {
  const limits = { databasePoolSize: 2, databaseTimeoutMs: 3_000 };
  const db = createPostgres({ ...config, ...limits }, () => undefined);
  lifecycle.defer('postgres', () => db.close());
  const [row] = await db.query<{ version: string }>(postgresVersion);
  return { db, version: row!.version };
}

/** The number of the version: packagers append all kinds of text to its name. */
const postgresVersion = sql(
  'doctor-version',
  `select (v / 10000) || '.' || (v % 10000) as version from (select current_setting('server_version_num')::int as v) s`,
);

async function openRedis(config: Config, lifecycle: Lifecycle) {
  let firstError: Error | undefined;
  const client = createRedis({ redisUrl: config.redisUrl, redisTimeoutMs: 3_000 }, error => {
    firstError ??= error;
  });
  lifecycle.defer('redis', () => client.disconnect());
  await new Promise<void>((resolve, reject) => {
    client.once('ready', () => resolve());
    client.once('close', () => reject(firstError ?? new Error('The connection was closed')));
  });
  const version = parseRedisVersion(await client.info('server'));
  if (!version) throw new Error('It does not report a version: is it Redis?');
  return { client, ...version };
}

type RedisVersion = { readonly name: 'Redis' | 'Valkey'; readonly version: string };

/** Valkey reports, beside its own version, that of the Redis with which it is compatible. */
export function parseRedisVersion(info: string): RedisVersion | undefined {
  for (const name of ['Valkey', 'Redis'] as const) {
    const version = new RegExp(`^${name.toLowerCase()}_version:(\\S+)`, 'm').exec(info)?.[1];
    if (version) return { name, version };
  }
  return undefined;
}

async function openNats(address: string, lifecycle: Lifecycle) {
  const connection = await connect({
    ...connectionOptions(address),
    reconnect: false,
    ignoreAuthErrorAbort: false,
  });
  lifecycle.defer('nats', () => connection.close());
  return { connection, version: connection.info?.version ?? '0' };
}

async function openClickHouse(config: Config, lifecycle: Lifecycle, inUse?: ClickHouse | null) {
  const client = inUse ?? (await createClickHouse(config.clickhouseUrl));
  if (!inUse) lifecycle.defer('clickhouse', () => client.close());
  const [row] = await client.query<{ version: string }>(
    'select version() as version',
    {},
    { timeoutMs: 3_000 },
  );
  return { client, version: row!.version };
}

async function readPlaceNames(config: Config) {
  const files = chooseGeoipFiles(config);
  return createPlaceNames(await hashPlaceNames(visit => readLocations(files, visit)));
}
