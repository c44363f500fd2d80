import { connect } from '@nats-io/transport-node';
import type { Config } from '../../config.ts';
import type { EngineName } from '../../kernel/engine-address.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import { within } from '../../kernel/within.ts';
import { type ClickHouse, createClickHouse } from '../../platform/clickhouse.ts';
import { type EngineFault, explainFault } from '../../platform/engine-faults.ts';
import { connectionOptions, type NatsConnection } from '../../platform/nats.ts';
import { createPostgres, type Database, sql } from '../../platform/postgres.ts';
import { createRedis, type RedisClient } from '../../platform/redis.ts';

/** What the checks look at: the settings, and the engines as far as they can be reached. */
export type Patient = {
  readonly config: Config;
  readonly postgres: Reached<{ readonly db: Database; readonly version: string }>;
  readonly redis: Reached<{ readonly client: RedisClient; readonly version: string }>;
  readonly nats: Reached<{ readonly connection: NatsConnection; readonly version: string }>;
  readonly clickhouse: Reached<{ readonly client: ClickHouse; readonly version: string }>;
};

/** An engine that answered, or why it did not. */
export type Reached<Engine> =
  | ({ readonly error: null } & Engine)
  | { readonly error: unknown; readonly fault: EngineFault | null };

const timeoutMs = 4_000;

/** Asks every engine for its version at the same time. What was opened is closed by the lifecycle. */
export async function examine(config: Config, lifecycle: Lifecycle): Promise<Patient> {
  const reach = <Engine>(
    name: EngineName,
    address: string,
    opening: Promise<Engine>,
  ): Promise<Reached<Engine>> =>
    within(timeoutMs, opening).then(
      engine => ({ error: null, ...engine }),
      async error => ({ error, fault: await explainFault(name, address, error) }),
    );
  const [postgres, redis, nats, clickhouse] = await Promise.all([
    reach('postgres', config.databaseUrl, openPostgres(config, lifecycle)),
    reach('redis', config.redisUrl, openRedis(config, lifecycle)),
    reach('nats', config.natsUrl, openNats(config, lifecycle)),
    reach('clickhouse', config.clickhouseUrl, openClickHouse(config, lifecycle)),
  ]);
  return { config, postgres, redis, nats, clickhouse };
}

async function openPostgres(config: Config, lifecycle: Lifecycle) {
  const limits = { databasePoolSize: 2, databaseTimeoutMs: 3_000 };
  const db = createPostgres({ ...config, ...limits }, () => undefined);
  lifecycle.defer('postgres', () => db.close());
  const [row] = await db.query<{ version: string }>(postgresVersion);
  return { db, version: row!.version };
}

/** As a number, since packagers write all kinds of things behind the version's words. */
const postgresVersion = sql(
  'doctor-version',
  `select (v / 10000) || '.' || (v % 10000) as version from (select current_setting('server_version_num')::int as v) s`,
);

async function openRedis(config: Config, lifecycle: Lifecycle) {
  let complaint: Error | undefined;
  const client = createRedis({ redisUrl: config.redisUrl, redisTimeoutMs: 3_000 }, error => {
    complaint ??= error;
  });
  lifecycle.defer('redis', () => client.disconnect());
  await new Promise<void>((resolve, reject) => {
    client.once('ready', () => resolve());
    client.once('close', () => reject(complaint ?? new Error('The connection was closed')));
  });
  const version = /^redis_version:(\S+)/m.exec(await client.info('server'))?.[1];
  if (!version) throw new Error('It does not tell its version: is it Redis?');
  return { client, version };
}

async function openNats(config: Config, lifecycle: Lifecycle) {
  const connection = await connect({
    ...connectionOptions(config.natsUrl),
    reconnect: false,
    ignoreAuthErrorAbort: false,
  });
  lifecycle.defer('nats', () => connection.close());
  return { connection, version: connection.info?.version ?? '0' };
}

async function openClickHouse(config: Config, lifecycle: Lifecycle) {
  const client = await createClickHouse(config.clickhouseUrl);
  lifecycle.defer('clickhouse', () => client.close());
  const [row] = await client.query<{ version: string }>(
    'select version() as version',
    {},
    { timeoutMs: 3_000 },
  );
  return { client, version: row!.version };
}
