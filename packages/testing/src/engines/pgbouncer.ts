import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { needBinary } from './binaries.ts';
import { Engine, engineDirectory } from './engine.ts';
import { freePort } from './free-port.ts';
import { postgresAnswers, postgresUser } from './postgres.ts';

export type PgBouncerOptions = {
  /** URL of the PostgreSQL behind it, with any database. */
  readonly postgresUrl: string;
  /** Connections to each database. */
  readonly poolSize?: number;
  /** Additional lines of pgbouncer.ini. */
  readonly settings?: Readonly<Record<string, string | number>>;
};

/** Starts a PgBouncer in front of a PostgreSQL, in transaction mode. Its `url` has the same path as that of PostgreSQL. */
export async function startPgBouncer({
  postgresUrl,
  poolSize = 5,
  settings = {},
}: PgBouncerOptions): Promise<Engine> {
  const port = await freePort();
  const place = engineDirectory('pgbouncer', undefined);
  const behind = new URL(postgresUrl);
  const user = behind.username || 'postgres';
  const users = join(place.dir, 'users.txt');
  const file = join(place.dir, 'pgbouncer.ini');
  const lines = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: users,
    pool_mode: 'transaction',
    default_pool_size: poolSize,
    max_client_conn: 1000,
    server_idle_timeout: 5,
    ...settings,
  };
  mkdirSync(place.dir, { recursive: true });
  writeFileSync(users, `"${user}" "${decodeURIComponent(behind.password)}"\n`);
  const limits = 'set statement_timeout = 5000; set idle_in_transaction_session_timeout = 10000';
  writeFileSync(
    file,
    [
      '[databases]',
      `* = host=${behind.hostname} port=${behind.port || 5432} connect_query='${limits}'`,
      '[pgbouncer]',
      ...Object.entries(lines).map(([name, value]) => `${name} = ${value}`),
      '',
    ].join('\n'),
  );
  // Like PostgreSQL, it refuses to run as root.
  const as = postgresUser();
  for (const path of [place.dir, users, file]) if (as) chownSync(path, as.uid, as.gid);
  const url = new URL(postgresUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return new Engine({
    name: `PgBouncer on port ${port}`,
    url: url.href,
    port,
    ...place,
    command: needBinary('pgbouncer'),
    args: [file],
    user: as,
    stopSignals: { fast: 'SIGINT', immediate: 'SIGTERM' },
    answers: () => postgresAnswers(url.href),
  }).start();
}
