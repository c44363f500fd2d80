import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate } from '../../apps/server/src/platform/migrations.ts';

/** The engines that tests run on: those of the environment, or the standard ports of this machine. */
export const postgresUrl = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
export const natsUrl = process.env.TEST_NATS_URL ?? 'nats://127.0.0.1:4222';
/** Files that run side by side must not meet in Redis: each worker has a database of it. */
const worker = Number(process.env.VITEST_POOL_ID ?? 0) % 16;
export const redisUrl = process.env.TEST_REDIS_URL ?? `redis://127.0.0.1:6379/${worker}`;

/** A PgBouncer in front of that PostgreSQL, where the service is to be tested behind one (`npm run test:pooler`). */
const poolerUrl = process.env.TEST_POOLER_URL;

/** The settings by which a service reaches a database: by the pooler where there is one. */
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
 * A migrated database of its own for a test file. It stays for some hours, so that what was written can still be
 * looked at.
 */
export async function createTestDatabase(serverUrl = postgresUrl): Promise<string> {
  const url = await createEmptyDatabase(serverUrl);
  await migrate(url);
  return url;
}

/** As an operator makes one. */
export async function createEmptyDatabase(serverUrl = postgresUrl): Promise<string> {
  const name = `${prefix}${Date.now().toString(36)}_${randomBytes(4).toString('hex')}`;
  await withServer(serverUrl, client => client.query(`create database ${name}`));
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Drops the databases that runs of long ago have left. */
export async function dropOldTestDatabases(serverUrl = postgresUrl): Promise<void> {
  await withServer(serverUrl, async client => {
    const { rows } = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [prefix],
    );
    for (const { datname } of rows) {
      const madeAtMs = Number.parseInt(datname.slice(prefix.length).split('_')[0]!, 36);
      if (madeAtMs < Date.now() - keptMs)
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
