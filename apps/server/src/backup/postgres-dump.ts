import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Dumps the database as of a snapshot, in the format that pg_restore reads. */
export async function dumpPostgres(
  databaseUrl: string,
  file: string,
  snapshot: string,
  withSalts: boolean,
): Promise<void> {
  await run('pg_dump', databaseUrl, [
    '--format=custom',
    '--no-owner',
    '--no-privileges',
    `--snapshot=${snapshot}`,
    // A salt that survives in a backup would break the promise that visitors cannot be recomputed.
    ...(withSalts ? [] : ['--exclude-table-data=visitor_salts']),
    `--file=${file}`,
  ]);
  await chmod(file, 0o600);
}

/** All or nothing, into an empty database. */
export async function restorePostgres(databaseUrl: string, file: string): Promise<void> {
  const options = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges'];
  await run('pg_restore', databaseUrl, [...options, file]);
}

/** The password goes through a file, because every user of the machine can read arguments. */
async function run(program: string, databaseUrl: string, args: readonly string[]): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'signpost-pass-'));
  try {
    const url = new URL(databaseUrl);
    const password = decodeURIComponent(url.password).replaceAll(/[\\:]/g, '\\$&');
    const passfile = join(dir, 'pass');
    await writeFile(passfile, `*:*:*:*:${password}\n`, { mode: 0o600 });
    url.password = '';
    url.searchParams.set('passfile', passfile);
    await succeed(program, [`--dbname=${url.href}`, '--no-password', ...args]);
  } finally {
    await rm(dir, { recursive: true });
  }
}

async function succeed(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let errorOutput = '';
  child.stderr.on('data', chunk => {
    errorOutput += chunk;
  });
  const [code] = (await once(child, 'close').catch(error => {
    const hint = `Install the PostgreSQL client programs (Debian: postgresql-client) of the server's major version.`;
    throw new Error(`${program} cannot be run: ${error instanceof Error ? error.message : error}. ${hint}`);
  })) as [number | null];
  if (code !== 0) throw new Error(`${program} failed: ${errorOutput.trim()}`);
}
