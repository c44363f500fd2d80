import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmptyDatabase } from '@signpost/testing/database.ts';
import { freePort } from '@signpost/testing/engines/free-port.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import pg from 'pg';
import { runCommand } from './commands.ts';

/** What somebody writes who has installed the SDK. */
const program = `
import { Signpost } from '@signpost/sdk';
const signpost = new Signpost({ apiKey: process.env.KEY, baseUrl: process.env.PUBLIC_URL });
const code = await signpost.qrcodes.create({ name: 'Menu', destination_url: 'https://example.com/menu' });
const { status } = await fetch(code.short_url, { redirect: 'manual' });
if (status !== 302) throw new Error('the short link answers ' + status);
`;

/** Installs the packed server and SDK into an empty folder, starts `solo` from there, and makes a code with the SDK. */
export async function tryPackages(tarballs: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'signpost-release-'));
  const databaseUrl = await createEmptyDatabase();
  try {
    await runCommand('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...tarballs], {
      cwd: folder,
    });
    return await tryInstalled(folder, databaseUrl);
  } finally {
    await dropDatabase(databaseUrl);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function tryInstalled(folder: string, databaseUrl: string): Promise<string> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const url = `http://localhost:${port}`;
  const env = {
    ...{ DATABASE_URL: databaseUrl, AUTH_SECRET: 'a secret of thirty-two characters', PUBLIC_URL: url },
    ...{ API_PORT: `${port}`, METRICS_PORT: `${metricsPort}`, SPOOL_DIR: join(folder, 'spool') },
    ...{ REDIS_URL: '', NATS_URL: '', CLICKHOUSE_URL: '' },
  };
  const signpost = join(folder, 'node_modules/.bin/signpost');
  await runCommand(signpost, ['migrate'], { cwd: folder, env });
  const created = await runCommand(signpost, ['admin', 'create-account', 'Shop'], { cwd: folder, env });
  const [key = ''] = /sk_live_\w{38}/.exec(created) ?? [];
  const server = spawn(signpost, ['solo'], { cwd: folder, env: { ...process.env, ...env }, stdio: 'ignore' });
  try {
    await waitUntil(
      'solo answers',
      async () => {
        if (server.exitCode !== null) throw new Error(`solo ended with ${server.exitCode}`);
        return (await fetch(`${url}/healthz`)).ok;
      },
      { timeoutMs: 60_000 },
    );
    for (const path of ['/app/', '/docs', '/v1/openapi.json']) {
      const { status } = await fetch(url + path);
      if (status !== 200) throw new Error(`${path} answers ${status}`);
    }
    writeFileSync(join(folder, 'program.mjs'), program);
    await runCommand(process.execPath, ['program.mjs'], { cwd: folder, env: { ...env, KEY: key } });
  } finally {
    server.kill('SIGTERM');
    if (server.exitCode === null) await once(server, 'exit');
  }
  return 'installed, solo started, a code made with the SDK';
}

async function dropDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  const client = new pg.Client({
    connectionString: Object.assign(new URL(url), { pathname: '/postgres' }).href,
  });
  await client.connect();
  await client.query(`drop database ${name} with (force)`);
  await client.end();
}
