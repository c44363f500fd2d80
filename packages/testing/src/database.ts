import { hash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { readMigrations } from '../../../apps/server/src/platform/postgres/migration-files.ts';
import { migrate } from '../../../apps/server/src/platform/postgres/migrations.ts';

/** The engines that tests run on: from the environment, or on the standard ports of this machine. */
export const postgresUrl = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
export const natsUrl = process.env.TEST_NATS_URL ?? 'nats://127.0.0.1:4222';
/** Test files that run in parallel must not share keys in Redis: each worker has its own database. */
const worker = Number(process.env.VITEST_POOL_ID ?? 0) % 16;
export const redisUrl = new URL(`/${worker}`, process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379').href;

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
 * A new migrated database for a test file. It stays for some hours, so that its contents can be inspected. It is a copy of
 * one that was migrated once: that takes a fifth of the time.
 */
export async function createTestDatabase(serverUrl = postgresUrl): Promise<string> {
  try {
    return await createDatabase(serverUrl, await templateOn(serverUrl));
  } catch (error) {
    // Another run has dropped it as an old one.
    if ((error as { code?: string }).code !== undefinedDatabase) throw error;
    templates.delete(serverUrl);
    return createDatabase(serverUrl, await templateOn(serverUrl));
  }
}

/** As an operator creates one. */
export const createEmptyDatabase = (serverUrl = postgresUrl): Promise<string> => createDatabase(serverUrl);

async function createDatabase(serverUrl: string, template?: string): Promise<string> {
  const name = newName();
  const from = template === undefined ? '' : ` template ${template}`;
  await withServer(serverUrl, client => client.query(`create database ${name}${from}`));
  return urlOf(serverUrl, name);
}

const newName = () => `${prefix}${Date.now().toString(36)}_${randomBytes(4).toString('hex')}`;

function urlOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

const undefinedDatabase = '3D000';

/** The name of the migrated database on each server, as this process knows it. */
const templates = new Map<string, Promise<string>>();

function templateOn(serverUrl: string): Promise<string> {
  const known = templates.get(serverUrl) ?? findTemplate(serverUrl);
  templates.set(serverUrl, known);
  return known;
}

/** Made by the first process that needs it; the name ends with a hash of the migrations. */
async function findTemplate(serverUrl: string): Promise<string> {
  const ending = `_t${hash('sha256', JSON.stringify(await readMigrations('postgres'))).slice(0, 12)}`;
  let found = '';
  await withServer(serverUrl, async client => {
    await client.query(`select pg_advisory_lock(hashtext('signpost template'))`);
    const { rows } = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1) and right(datname, $2) = $3 order by datname desc limit 1',
      [prefix, ending.length, ending],
    );
    found = rows[0]?.datname ?? '';
    if (found !== '') return;
    const unfinished = newName();
    await client.query(`create database ${unfinished}`);
    await migrate(urlOf(serverUrl, unfinished));
    found = `${unfinished}${ending}`;
    await client.query(`alter database ${unfinished} rename to ${found}`);
  });
  return found;
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
