import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask } from '@signpost/testing/client.ts';
import { createEmptyDatabase } from '@signpost/testing/database.ts';
import { freePort } from '@signpost/testing/engines/free-port.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createFixture } from '@signpost/testing/fixture.ts';
import { afterAll, expect, test } from 'vitest';
import { type Stage, stageBuilder } from './dockerfile.ts';
import { readDeploy } from './files.ts';

const into = mkdtempSync(join(tmpdir(), 'signpost-image-'));
/** CI has built the dashboard and the SDK before. */
const build = stageBuilder(readDeploy('Dockerfile'), into, process.env.CI ? ['dashboard', 'sdk'] : []);
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  execFileSync('rm', ['-rf', into]);
});

/** Maps paths of the image into its folder. */
const inside = (stage: Stage, text: string) => text.replace(/^\/(app|var)\//, path => stage.dir + path);

const commandOf = (stage: Stage, args: readonly string[]) =>
  [
    join(stage.dir, 'usr/local/bin/node'),
    [...stage.entrypoint.slice(1).map(word => inside(stage, word)), ...args],
  ] as const;

async function environmentOf(
  stage: Stage,
  settings: Record<string, string>,
): Promise<Record<string, string>> {
  const ports = {
    LOG_LEVEL: 'warn',
    API_PORT: String(await freePort()),
    METRICS_PORT: String(await freePort()),
  };
  const env = Object.fromEntries(
    Object.entries(stage.env).map(([name, value]) => [name, inside(stage, value)]),
  );
  return { ...settings, ...env, HOST: '127.0.0.1', ...ports };
}

async function start(stage: Stage, role: string, env: Record<string, string>): Promise<ChildProcess> {
  const child = spawn(...commandOf(stage, [role]), {
    cwd: join(stage.dir, stage.workdir),
    env,
    stdio: 'inherit',
  });
  children.push(child);
  // The same request as the health check of the image.
  await waitUntil(`${role} answers`, async () => {
    if (child.exitCode !== null) throw new Error(`${role} ended with ${child.exitCode}`);
    return (await fetch(`http://127.0.0.1:${env.METRICS_PORT}/healthz`)).ok;
  });
  await waitUntil(
    'the API answers',
    async () => (await fetch(`http://127.0.0.1:${env.API_PORT}/healthz`)).ok,
  );
  return child;
}

/** Uses the programs of this machine instead of those of the base image. */
const run = (stage: Stage, args: readonly string[], env: Record<string, string>) =>
  spawnSync(...commandOf(stage, args), {
    env: { PATH: process.env.PATH, ...env },
    cwd: join(stage.dir, stage.workdir),
    encoding: 'utf8',
  });

const menu = { name: 'Menu', destination_url: 'https://example.com/menu' };

test('the steps of the image, run in an empty folder, build a solo that migrates, redirects and counts', async () => {
  const full = build('full');
  const packages = globSync('app/node_modules/{*,@*/*}', { cwd: full.dir });
  expect(packages).toContain('app/node_modules/fastify');
  expect(packages.filter(name => /chdb|vitest|typescript|biome|node_modules\/node$/.test(name))).toEqual([]);
  expect(globSync('app/{apps,packages}/**/*.{test,it,e2e}.ts', { cwd: full.dir })).toEqual([]);
  expect(existsSync(join(full.dir, 'usr/local/bin/npm'))).toBe(false);
  for (const built of ['dist', 'reference/dist'])
    expect(existsSync(join(full.dir, `app/apps/dashboard/${built}/index.html`)), built).toBe(true);
  expect(existsSync(join(full.dir, 'app/packages/sdk/dist/sdk.tgz'))).toBe(true);
  expect(packages).not.toContain('app/node_modules/react');
  expect(packages.filter(name => name.includes('@scalar'))).toEqual([]);

  const fixture = await createFixture({ CLICKHOUSE_URL: '', REDIS_URL: '', NATS_URL: '' });
  const env = await environmentOf(full, fixture.env);
  expect(readdirSync(env.NODE_COMPILE_CACHE!)).toHaveLength(1);
  expect(run(full, ['migrate'], env)).toMatchObject({ status: 0 });
  const solo = await start(full, 'solo', env);
  const { live: key } = await fixture.account();
  const base = `http://127.0.0.1:${env.API_PORT}`;
  const made = await ask({ method: 'POST', url: `${base}/v1/qrcodes`, key, body: menu });
  expect((await ask({ url: `${base}/${made.body.short_code}` })).status).toBe(302);
  await waitUntil('the scan is counted', async () => {
    const { body } = await ask({ url: `${base}/v1/qrcodes/${made.body.id}`, key });
    return body.total_scans === 1;
  });
  expect((await ask({ url: `${base}/v1/qrcodes/${made.body.id}/download`, key })).status).toBe(200);
  solo.kill('SIGTERM');
  await once(solo, 'exit');
  await fixture.close();
});

test('the steps of the backup image, run in an empty folder, back up what the other one counted, and restore it', async () => {
  const [full, backup] = [build('full'), build('backup')];
  expect(existsSync(join(backup.dir, 'usr/local/bin/npm'))).toBe(false);
  expect(run(backup, backup.command, {}).stdout).toContain('signpost restore DIR');

  const nats = await startNats();
  const fixture = await createFixture({ NATS_URL: nats.url, CLICKHOUSE_URL: '' });
  const env = await environmentOf(full, fixture.env);
  run(full, ['migrate'], env);
  const all = await start(full, 'all', env);
  const { live: key } = await fixture.account();
  const base = `http://127.0.0.1:${env.API_PORT}`;
  const made = await ask({ method: 'POST', url: `${base}/v1/qrcodes`, key, body: menu });
  for (let n = 0; n < 3; n++) await ask({ url: `${base}/${made.body.short_code}` });
  await waitUntil('the scans are stored', async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${env.METRICS_PORT}/metrics`)).text();
    return /signpost_ingest_scans_stored_total\{.*\} 3$/m.test(metrics);
  });
  const backups = join(into, 'backups');
  const first = join(backups, '20200101T000000Z');
  expect(run(backup, ['backup', first], env)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('1 codes, 3 scans counted.'),
  });
  // The first was made beside the running process, this one without it.
  all.kill('SIGTERM');
  await once(all, 'exit');
  expect(run(backup, ['backup', '--into', backups, '--keep', '1'], env)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('Removed 20200101T000000Z'),
  });
  const [newest, ...more] = readdirSync(backups);
  expect(more).toEqual([]);

  const elsewhere = { ...env, DATABASE_URL: await createEmptyDatabase() };
  expect(run(backup, ['restore', join(backups, newest!)], elsewhere)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('1 codes, 3 scans counted, 3 rows'),
  });
  await fixture.close();
  await nats.remove();
});
