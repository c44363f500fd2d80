import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Config } from '../../config/config.ts';
import {
  dropInvalidIndex,
  IndexBuildInProgress,
  isConcurrentIndexStatement,
  parseConcurrentIndex,
} from './concurrent-index.ts';
import { type LockHolders, watchLockHolders } from './lock-holders.ts';
import {
  type Applied,
  type Migration,
  MigrationsDiffer,
  readMigrations,
  selectPending,
  splitStatements,
} from './migration-files.ts';
import { releaseMigrationLock, takeMigrationLock } from './migration-lock.ts';
import { isPooled, needsDirect, UndeclaredPoolerError } from './pooler.ts';

export type MigrateOptions = {
  /** Where the files are, for tests; those of this version by default. */
  readonly folder?: URL;
  readonly onApplied?: (name: string) => void;
  /** For the terminal: what it waits for, and what it retries. */
  readonly print?: (line: string) => void;
  /**
   * The longest that a migration waits for a lock: the service's statements on that table queue behind it. A redirect gives up
   * a lookup after a second.
   */
  readonly lockTimeoutMs?: number;
  /** For how long a migration is retried. */
  readonly retryForMs?: number;
  /** How often it prints which transaction it waits for. */
  readonly printEveryMs?: number;
};

type Run = Required<Pick<MigrateOptions, 'print' | 'lockTimeoutMs' | 'retryForMs' | 'onApplied'>> & {
  readonly client: pg.Client;
  readonly blockers: LockHolders;
};

const longestPauseMs = 30_000;

/** Applies what is pending and returns the names of what it applied. */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<string[]> {
  const { folder, onApplied = () => {}, print = () => {} } = options;
  const { lockTimeoutMs = 500, retryForMs = 600_000, printEveryMs = 10_000 } = options;
  return withClient(databaseUrl, async client => {
    if (await isPooled(client)) throw new Error(needsDirect);
    // A limit on statements that the role or the database may have is for the service.
    await client.query('set statement_timeout = 0');
    await setLockTimeout(client, lockTimeoutMs);
    await takeMigrationLock(client, print);
    await client.query(`create table if not exists schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const onWait = (found: readonly string[]) => print(`Waiting for ${list(found)}`);
    const blockers = watchLockHolders(databaseUrl, rows[0]!.pid, onWait, printEveryMs);
    try {
      return await applyAll({ client, blockers, print, lockTimeoutMs, retryForMs, onApplied }, folder);
    } finally {
      blockers.close();
    }
  });
}

async function applyAll(run: Run, folder: URL | undefined): Promise<string[]> {
  const { client, print, retryForMs, onApplied } = run;
  const applied: string[] = [];
  let deadlineMs = performance.now() + retryForMs;
  let pauseMs = 1_000;
  let pending = await findPending(client, folder);
  for (;;) {
    const [migration, ...others] = pending;
    if (!migration) return applied;
    const busy = await tryToApply(run, migration, deadlineMs);
    if (busy === null) {
      applied.push(migration.name);
      onApplied(migration.name);
      deadlineMs = performance.now() + retryForMs;
      pauseMs = 1_000;
      pending = others;
      continue;
    }
    if (performance.now() + pauseMs > deadlineMs) throw gaveUp(migration, busy, retryForMs);
    print(`${migration.name} did not get its lock: ${busy}\nTrying again in ${pauseMs / 1000} s.`);
    // Another migrator may take its turn: one that waits for this lock may have a snapshot that this one waits for.
    await releaseMigrationLock(client);
    await pause(pauseMs);
    await takeMigrationLock(client, print);
    pending = await findPending(client, folder);
    pauseMs = Math.min(2 * pauseMs, longestPauseMs);
  }
}

/** Null once it is applied; otherwise which transactions hold the lock that it needs. */
async function tryToApply(run: Run, migration: Migration, deadlineMs: number): Promise<string | null> {
  const { client, blockers } = run;
  try {
    await blockers.during(() =>
      migration.inTransaction
        ? applyWhole(run, migration)
        : applyOneByOne(run, migration, Math.max(run.lockTimeoutMs, deadlineMs - performance.now())),
    );
    return null;
  } catch (error) {
    // Where the connection is lost too, the first error says why.
    if (migration.inTransaction) await client.query('rollback').catch(() => undefined);
    if (error instanceof IndexBuildInProgress) return error.message;
    const code = error instanceof pg.DatabaseError ? error.code : undefined;
    // Lock timeout; deadlock.
    if (code === '55P03' || code === '40P01') return list(blockers.last()) || (error as Error).message;
    throw new Error(`${migration.name}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

async function applyWhole({ client, lockTimeoutMs }: Run, migration: Migration): Promise<void> {
  // One that was tried before, outside a transaction, may have left a longer one.
  await setLockTimeout(client, lockTimeoutMs);
  await client.query('begin');
  await client.query(migration.sql);
  await record(client, migration);
  await client.query('commit');
}

async function applyOneByOne(run: Run, migration: Migration, concurrentMs: number): Promise<void> {
  const { client, print, lockTimeoutMs } = run;
  const steps = splitStatements(migration.sql).map(text => ({ text, index: parseConcurrentIndex(text) }));
  for (const { text, index } of steps) {
    // It waits for transactions that began before it, and blocks no other statement meanwhile.
    await setLockTimeout(client, isConcurrentIndexStatement(text) ? concurrentMs : lockTimeoutMs);
    if (index !== null) await dropInvalidIndex(client, index, print);
    await client.query(text);
  }
  await setLockTimeout(client, lockTimeoutMs);
  await record(client, migration);
}

const setLockTimeout = (client: pg.Client, ms: number) =>
  client.query("select set_config('lock_timeout', $1, false)", [String(Math.ceil(ms))]);

async function record(client: pg.Client, { name, checksum }: Migration): Promise<void> {
  await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
}

const list = (blockers: readonly string[]) => blockers.join('; ');

function gaveUp({ name, inTransaction }: Migration, busy: string, retryForMs: number): Error {
  const left = inTransaction
    ? 'Nothing of it was applied.'
    : 'What it has done so far stays, and the next run goes on from there.';
  return new Error(
    `${name} did not get its lock within ${Math.round(retryForMs / 1000)} s: ${busy}\n${left} Wait until that transaction ` +
      'has ended, or end it with `select pg_terminate_backend(PROCESS)`. Then run `signpost migrate` again.',
  );
}

/** The names of the migrations that this version has and the database lacks. */
export async function pendingMigrations(databaseUrl: string): Promise<string[]> {
  const pending = await withClient(databaseUrl, client => findPending(client));
  return pending.map(migration => migration.name);
}

/** Throws where the database is behind this version or behind an undeclared pooler: later errors would explain nothing. */
export async function requireMigrated(
  { databaseUrl, databasePooler }: Pick<Config, 'databaseUrl' | 'databasePooler'>,
  timeoutMs?: number,
): Promise<void> {
  const pending = await withClient(
    databaseUrl,
    async client => {
      if (databasePooler === 'none' && (await isPooled(client))) throw new UndeclaredPoolerError();
      return findPending(client);
    },
    timeoutMs,
  );
  const names = pending.map(migration => migration.name);
  if (names.length > 0)
    throw new MigrationsDiffer(
      `The database lacks ${names.join(', ')}. Run \`signpost migrate\`, then try again.`,
    );
}

async function findPending(client: pg.Client, folder?: URL): Promise<Migration[]> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regclass('schema_migrations') is not null as exists`,
  );
  const applied = rows[0]?.exists
    ? (await client.query<Applied>('select name, checksum from schema_migrations')).rows
    : [];
  return selectPending(await readMigrations(folder ?? 'postgres'), applied);
}

async function withClient<Result>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<Result>,
  timeoutMs?: number,
): Promise<Result> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'signpost migrate',
    connectionTimeoutMillis: timeoutMs ?? 5_000,
    // An index may take hours in which nothing is sent: a NAT in between must not drop the connection.
    keepAlive: true,
    keepAliveInitialDelayMillis: 60_000,
    ...(timeoutMs === undefined ? {} : { query_timeout: timeoutMs }),
  });
  // A server that closes the connection fails the query; it must not end the process as well.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
