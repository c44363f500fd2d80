import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate } from '../../../apps/server/src/platform/migrations.ts';

/** The engines that tests run on: from the environment, or on the standard ports of this machine. */
export const postgresUrl = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
export const natsUrl = process.env.TEST_NATS_URL ?? 'nats://127.0.0.1:4222';
/** Test files that run in parallel must not share keys in Redis: each worker has its own database. */
const worker = Number(process.env.VITEST_POOL_ID ?? 0) % 16;
export const redisUrl = process.env.TEST_REDIS_URL ?? `redis://127.0.0.1:6379/${worker}`;

/** A PgBouncer in front of PostgreSQL, if the service is tested behind one (`npm run test:pooler`). */
const poolerUrl = process.env.TEST_POOLER_URL;

/** The settings for a database: through the pooler if there is one. */
export function databaseEnv(databaseUrl: string): Record<string, string> {
  const isBehind = databaseUrl.startsWith(new URL('/', postgresUrl).href);
  return poolerUrl && isBehind ? pooledEnv(databaseUrl, poolerUrl) : { DATABASE_URL: databaseUrl };
}

export function pooledEnv(databaseUrl: string, pooler: string): Record<string, string> {
  const url = new URL(pooler);
  url.pathname = new URL(databaseUrl).pathname;
  return { DATABASE_URL: url.href, DATABASE_DIRECT_URL: databaseUrl, DATABASE_POOLER: 'transaction' };
}

const prefix = 'signpost_testdb_';
const keptMs = 2 * 60 * 60 * 1000;

/**
 * A new migrated database for a test file. It stays for some hours, so that its contents can be inspected.
 */
export async function createTestDatabase(serverUrl = postgresUrl): Promise<string> {
  const url = await createEmptyDatabase(serverUrl);
  await migrate(url);
  return url;
}

/** As an operator creates one. */
export async function createEmptyDatabase(serverUrl = postgresUrl): Promise<string> {
  const name = `${prefix}${Date.now().toString(36)}_${randomBytes(4).toString('hex')}`;
  await withServer(serverUrl, client => client.query(`create database ${name}`));
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Drops databases that old runs have left behind. */
export async function dropOldTestDatabases(serverUrl = postgresUrl): Promise<void> {
  await withServer(serverUrl, async client => {
    const { rows } = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [prefix],
    );
    for (const { datname } of rows) {
      const createdAtMs = Number.parseInt(datname.slice(prefix.length).split('_')[0]!, 36);
      if (createdAtMs < Date.now() - keptMs)
        await client.query(`drop database if exists ${datname} with (force)`);
    }
  });
}

async function withServer(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
