import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort } from '@signpost/testing/engines/free-port.ts';
import { startPostgres } from '@signpost/testing/engines/postgres.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createFreshClone } from '@signpost/testing/fresh-clone.ts';
import { expect, onTestFinished, test } from 'vitest';

type Code = { readonly id: string; readonly short_url: string; readonly total_scans: number };

const root = resolve(import.meta.dirname, '../..');

// It builds the dashboard and installs 700 MB: `npm run test:e2e -- pack`.
test.skipIf(process.env.CI)(
  'npm install of the packed server into an empty folder, then npx signpost solo answers, counts and shows the dashboard',
  async () => {
    const startMs = performance.now();
    const printed = execFileSync('npm', ['run', '--silent', 'pack'], { cwd: root, encoding: 'utf8' });
    const [, tarball = ''] = /^(\/.*\.tgz) is ready$/m.exec(printed.split('\n').at(-2) ?? '') ?? [];
    const postgres = await startPostgres();
    const fresh = createFreshClone();
    onTestFinished(async () => {
      await fresh.leave();
      await postgres.remove();
    });
    const [port, metricsPort] = [await freePort(), await freePort()];
    const url = `http://localhost:${port}`;
    const terminal = fresh.openTerminal(fresh.folder, {
      // The Node of the project, as an operator has installed one of that version.
      PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
      DATABASE_URL: postgres.url,
      AUTH_SECRET: 'a secret of thirty-two characters',
      PUBLIC_URL: url,
      API_PORT: `${port}`,
      METRICS_PORT: `${metricsPort}`,
    });
    await terminal.type(`npm install --no-audit --no-fund ${tarball}`, 500_000);
    const installed = join(fresh.folder, 'node_modules');
    for (const tool of ['typescript', 'vite', 'vitest', 'playwright-core'])
      expect(existsSync(join(installed, tool)), tool).toBe(false);
    expect(
      readdirSync(join(installed, 'signpost/apps/server/src')).filter(name => name.endsWith('.ts')),
    ).toEqual([]);
    await terminal.type('npx signpost migrate');
    const created = await terminal.type('npx signpost admin create-account Shop');
    const [, key = ''] = /(sk_live_\w{38})/.exec(created) ?? [];
    terminal.start('npx signpost solo');
    const isReady = async () => (await fetch(`http://localhost:${metricsPort}/readyz`)).ok;
    await waitUntil('solo is ready', isReady, { timeoutMs: 60_000 }).catch(error => {
      throw new Error(`${error.message}\n${terminal.printed}`);
    });

    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    for (const path of ['/app/', '/docs', '/v1/openapi.json'])
      expect((await fetch(url + path)).status).toBe(200);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'Menu', destination_url: 'https://example.com/menu' });
    const code = (await (await fetch(`${url}/v1/qrcodes`, { method: 'POST', headers, body })).json()) as Code;
    const image = await fetch(`${url}/v1/qrcodes/${code.id}/download?format=pdf`, { headers });
    expect(image.status).toBe(200);
    expect((await fetch(code.short_url, { redirect: 'manual' })).status).toBe(302);
    const scans = async () =>
      ((await (await fetch(`${url}/v1/qrcodes/${code.id}`, { headers })).json()) as Code).total_scans;
    await waitUntil('the scan is counted', async () => (await scans()) === 1, { timeoutMs: 30_000 });
    const megabytes = Number.parseInt(execFileSync('du', ['-sm', fresh.folder], { encoding: 'utf8' }), 10);
    console.log(
      `pack minutes ${((performance.now() - startMs) / 60_000).toFixed(1)} installed megabytes ${megabytes}`,
    );
  },
);
