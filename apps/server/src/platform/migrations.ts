import pg from 'pg';
import { type Applied, type Migration, pendingOf, readMigrations } from './migration-files.ts';

/** Any number that nothing else locks: only one migrator works at a time. */
const lock = 7_305_101_104;

/** Applies what is pending and returns the names of what it applied. */
export async function migrate(
  databaseUrl: string,
  onApplied: (name: string) => void = () => {},
): Promise<string[]> {
  return withClient(databaseUrl, async client => {
    await client.query('select pg_advisory_lock($1)', [lock]);
    await client.query(`create table if not exists schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
    const pending = await findPending(client);
    for (const migration of pending) {
      await client.query('begin');
      await client.query(migration.sql);
      await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
        migration.name,
        migration.checksum,
      ]);
      await client.query('commit');
      onApplied(migration.name);
    }
    return pending.map(migration => migration.name);
  });
}

/** The names of the migrations that this version has and the database lacks. */
export async function pendingMigrations(databaseUrl: string, timeoutMs?: number): Promise<string[]> {
  const pending = await withClient(databaseUrl, findPending, timeoutMs);
  return pending.map(migration => migration.name);
}

/** Throws where the database is behind this version: what follows would fail in ways that explain nothing. */
export async function requireMigrated(databaseUrl: string, timeoutMs?: number): Promise<void> {
  const pending = await pendingMigrations(databaseUrl, timeoutMs);
  if (pending.length > 0)
    throw new Error(`The database lacks ${pending.join(', ')}. Run \`signpost migrate\`, then try again.`);
}

async function findPending(client: pg.Client): Promise<Migration[]> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regclass('schema_migrations') is not null as exists`,
  );
  const applied = rows[0]?.exists
    ? (await client.query<Applied>('select name, checksum from schema_migrations')).rows
    : [];
  return pendingOf(await readMigrations('postgres'), applied);
}

async function withClient<Result>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<Result>,
  timeoutMs?: number,
): Promise<Result> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: timeoutMs ?? 5_000,
    ...(timeoutMs === undefined ? {} : { query_timeout: timeoutMs }),
  });
  // A server that breaks the connection off fails the question; it must not end the process as well.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
