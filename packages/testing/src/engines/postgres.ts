import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { needBinary, postgresDirectories } from './binaries.ts';
import { Engine, engineDirectory, type OsUser } from './engine.ts';
import { freePort } from './free-port.ts';

export type PostgresOptions = {
  /** Holds the data, the socket and the log; created when it is missing. Default: a new temporary one. */
  readonly dir?: string;
  readonly port?: number;
  readonly settings?: Readonly<Record<string, string | number>>;
  readonly detached?: boolean;
};

/**
 * Starts a new PostgreSQL that listens on 127.0.0.1 only and trusts all its clients.
 * Its `url` is that of the database `postgres`, as superuser.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<Engine> {
  const user = postgresUser();
  const port = options.port ?? (await freePort());
  const place = engineDirectory('postgres', options.dir);
  const data = join(place.dir, 'data');
  mkdirSync(place.dir, { recursive: true });
  if (user) chownSync(place.dir, user.uid, user.gid);
  if (!existsSync(join(data, 'PG_VERSION'))) initialise(data, place.dir, user);

  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    // The path of a Unix socket is limited to about 100 characters; in a deeper directory there is no socket.
    unix_socket_directories: place.dir.length < 80 ? place.dir : '',
    ...options.settings,
  };
  return new Engine({
    name: `PostgreSQL on port ${port}`,
    url,
    port,
    ...place,
    command: needBinary('postgres', postgresDirectories()),
    args: ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    user,
    detached: options.detached,
    stopSignals: { fast: 'SIGINT', immediate: 'SIGQUIT' },
    answers: () => postgresAnswers(url),
    // After kill -9 the backends take a moment to notice; until then the next postmaster refuses to start.
    worthRetrying: log => /shared memory block|lock file/.test(log),
  }).start();
}

export async function postgresAnswers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  // A connection that is cut after the response must not end this process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } finally {
    await client.end();
  }
}

/** PostgreSQL refuses to run as root; as root it is started as the user `postgres` of its package. */
export function postgresUser(): OsUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

function initialise(data: string, cwd: string, user: OsUser | undefined): void {
  const initdb = needBinary('initdb', postgresDirectories());
  const args = ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
  execFileSync(initdb, args, { cwd, stdio: 'pipe', ...user });
}
