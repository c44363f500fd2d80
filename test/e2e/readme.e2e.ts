import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { launchChromium } from '@signpost/testing/chromium.ts';
import { makeCode } from '@signpost/testing/dashboard/journey.ts';
import { zxing } from '@signpost/testing/decoders.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { freePort } from '@signpost/testing/engines/free-port.ts';
import { startPostgres } from '@signpost/testing/engines/postgres.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createFreshClone, type FreshClone } from '@signpost/testing/fresh-clone.ts';
import { rasterOfPng } from '@signpost/testing/raster.ts';
import type { Terminal } from '@signpost/testing/terminal.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPage } from '../../tools/checks/docs/page.ts';

const root = resolve(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** The blocks that a reader types, in their order; the container is tried by npm run test:docker. */
const blocks = readPage(readme)
  .fences.filter(({ language }) => language === 'bash' || language === 'sh')
  .map(({ code }) => code)
  .filter(code => !code.startsWith('docker '));

const lines = blocks.join('').trim().split('\n');

/** The commands that lead to a running server. */
const commands = lines.slice(0, lines.findIndex(line => line.endsWith(' solo')) + 1);
const [install, serve] = [commands.slice(0, -1).join('\n'), commands.at(-1) ?? ''];

/** The calls of the API that the README shows after it, each in a block of its own. */
const calls = blocks.filter(block => block.includes('curl '));
const [create = '', download = '', read = '', update = ''] = calls;
const testOfCalls = test.runIf(calls.length > 0);

/** What a reader puts in the place of what the README leaves open. */
const filling = { repository: root, base: '', key: '', id: '' };
const [email, password] = ['you@example.com', 'a password of my own'];
const filledIn = (block: string) =>
  block
    .replaceAll('<this repository>', filling.repository)
    .replaceAll('http://localhost:8080', filling.base)
    .replaceAll('sk_live_…', filling.key)
    .replaceAll('qr_…', filling.id);

/**
 * `npm ci` writes 1.4 GB. CI has just run it in this very clone, so there the packages of others are linked to and only
 * our own are the newcomer's; README_NPM=real runs it there too.
 */
const isLinked = process.env.CI !== undefined && process.env.README_NPM !== 'real';
const packages = isLinked ? 'linked to in the place of npm ci' : 'by npm ci';
const npmCi = /^npm ci$/m;
const linkPackages = [
  'mkdir node_modules',
  `ln -s ${root}/node_modules/{*,.bin} node_modules`,
  `rm node_modules/@signpost && cp -a ${root}/node_modules/@signpost node_modules`,
  ...globSync('{apps,packages}/*/node_modules', { cwd: root }).map(path => `ln -s ${root}/${path} ${path}`),
].join('\n');

let freshClone: FreshClone;
/** The folder that the clone is in. */
let clone = '';
let postgres: Engine;
let databaseUrl = '';
// The README has the usual ports; tests that run beside this one must not be met there.
let ports: Record<string, string>;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  freshClone = createFreshClone();
  clone = join(freshClone.folder, 'signpost');
  postgres = await startPostgres();
  databaseUrl = postgres.url.replace(/postgres$/, 'signpost');
  const port = await freePort();
  filling.base = `http://localhost:${port}`;
  ports = { API_PORT: `${port}`, METRICS_PORT: `${await freePort()}`, PUBLIC_URL: filling.base };
});

afterAll(async () => {
  await browser?.close();
  await freshClone.leave();
  await postgres.remove();
});

describe('the README, followed to the letter in an empty folder without the tools of the project', () => {
  const startMs = performance.now();
  let second: Terminal;
  let passwordToken = '';
  let shortUrl = '';

  test('has the commands that are typed here, and leaves nothing else open in them', () => {
    expect(commands.map(line => line.replace(/ +#.*/, ''))).toEqual([
      'git clone <this repository> signpost && cd signpost',
      'npm ci',
      'npm run setup',
      `npm run signpost -- admin create-account "My shop" --owner ${email} --operator`,
      'npm run signpost -- solo',
    ]);
    const rest = blocks.join('').replaceAll(/<this repository>|http:\/\/localhost:8080|(sk_live|qr)_…/g, '');
    expect(rest).not.toMatch(/…|<|8080/);
    expect([0, 4]).toContain(calls.length);
  });

  test(`leads from the clone to the first person, their account and its keys, its packages ${packages}`, async () => {
    const typed = filledIn(isLinked ? install.replace(npmCi, linkPackages) : install);
    const terminal = freshClone.openTerminal(freshClone.folder, { DATABASE_URL: databaseUrl, ...ports });
    const printed = await terminal.type(typed, 500_000);
    expect(printed).toMatch(/^PostgreSQL +answers.*\ndatabase +signpost made\n\.env +written$/m);
    expect(printed).not.toMatch(/^(Redis|NATS)/m);
    expect(printed).toContain('npm run signpost -- solo');
    const settings = parseEnv(readFileSync(join(clone, '.env'), 'utf8'));
    expect(settings).toMatchObject({ DATABASE_URL: databaseUrl });
    expect(Object.keys(settings)).not.toEqual(expect.arrayContaining([expect.stringMatching(/REDIS|NATS/)]));
    expect(statSync(join(clone, '.env')).mode & 0o777).toBe(0o600);
    if (!isLinked) expect(await terminal.type('git status --porcelain')).toBe('');
    expect(printed).toMatch(/^test key key_\w+ +sk_test_\w{38}$/m);
    filling.key = /^live key key_\w+ +(sk_live_\w{38})$/m.exec(printed)?.[1] ?? '';
    expect(filling.key).not.toBe('');
    passwordToken = /\/app\/reset-password#token=(\S+)/.exec(printed)?.[1] ?? '';
    expect(passwordToken).not.toBe('');
  });

  test('starts the server by what is in .env, and signs in', async () => {
    const server = freshClone.openTerminal(clone, ports);
    server.start(filledIn(serve));
    const isReady = async () => (await fetch(`${filling.base}/readyz`)).ok;
    await waitUntil('the server is ready', isReady, { timeoutMs: 180_000 }).catch(error => {
      throw new Error(`${error.message}\n${server.printed}`);
    });
    browser = await launchChromium();
    page = await browser.newPage();
    await page.goto(`${filling.base}/app/reset-password#token=${passwordToken}`);
    await page.getByLabel('New password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Codes', level: 1 }).waitFor();
    const me = await (await page.request.get(`${filling.base}/account/me`)).json();
    expect(me).toMatchObject({ user: { email, is_operator: true }, account: { name: 'My shop' } });
  });

  test('makes the first code in the dashboard, which is scanned and counted', async () => {
    const made = await makeCode(page, 'Front door', 'front-door');
    const { status, headers } = await fetch(made, { redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([302, 'https://example.com/menu/spring']);
    await page.getByRole('list', { name: 'Latest scans' }).waitFor();
    const scans = async () => {
      const { data } = await (await page.request.get(`${filling.base}/account/qrcodes`)).json();
      return data[0].total_scans as number;
    };
    await waitUntil('the scan is counted', async () => (await scans()) > 0, { everyMs: 500 });
    expect(await scans()).toBe(1);
  });

  testOfCalls('makes a code by the API in a second terminal', async () => {
    second = freshClone.openTerminal(clone);
    const made = JSON.parse(await second.type(filledIn(create)));
    expect(made).toMatchObject({ name: 'Spring menu', status: 'active', total_scans: 0 });
    filling.id = made.id;
    shortUrl = made.short_url;
    const image = await fetch(made.image_url);
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  testOfCalls('downloads an image that a decoder reads as the short link', async () => {
    await second.type(filledIn(download));
    const picture = rasterOfPng(readFileSync(join(clone, 'menu.png')));
    expect(picture.width).toBe(1024);
    expect(await zxing(picture)).toBe(shortUrl);
  });

  testOfCalls('has a short link that leads on, and then total_scans is 1', async () => {
    const { status, headers } = await fetch(shortUrl, { redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([302, 'https://example.com/menu/spring']);
    const scans = async () => JSON.parse(await second.type(filledIn(read))).total_scans as number;
    await waitUntil('the scan is counted', async () => (await scans()) > 0, { everyMs: 500 });
    expect(await scans()).toBe(1);
  });

  testOfCalls(
    'shows that code, scanned and counted, in the dashboard of the person who typed it',
    async () => {
      await page.goto(`${filling.base}/app/codes`);
      const code = page.getByRole('row').filter({ hasText: 'Spring menu' });
      await code.waitFor();
      await code.getByText('1', { exact: true }).first().waitFor();
    },
  );

  testOfCalls('changes where the same link leads, at once', async () => {
    const changed = JSON.parse(await second.type(filledIn(update)));
    const { headers } = await fetch(shortUrl, { redirect: 'manual' });
    expect(headers.get('location')).toBe('https://example.com/menu/summer');
    expect(changed).toMatchObject({ id: filling.id, destination_url: 'https://example.com/menu/summer' });
  });

  test('finds the API described where it says', async () => {
    expect(readme).toMatch(/<http:\/\/localhost:8080\/docs>.*`\/v1\/openapi\.json`/s);
    const page = await fetch(`${filling.base}/docs`);
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/html'),
    ]);
    const described = (await (await fetch(`${filling.base}/v1/openapi.json`)).json()) as { paths: object };
    expect(Object.keys(described.paths)).toContain('/v1/qrcodes');
  });

  test('takes minutes and megabytes', () => {
    const minutes = (performance.now() - startMs) / 60_000;
    const megabytes = Number.parseInt(execFileSync('du', ['-sm', clone], { encoding: 'utf8' }), 10);
    console.log(
      `readme commands ${commands.length} minutes ${minutes.toFixed(1)} megabytes ${megabytes} packages ${packages}`,
    );
    expect(minutes).toBeLessThan(15);
  });
});
