import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { launchChromium } from '@signpost/testing/chromium.ts';
import { zxing } from '@signpost/testing/decoders.ts';
import { freePort } from '@signpost/testing/engines/free-port.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createFreshClone, type FreshClone } from '@signpost/testing/fresh-clone.ts';
import { rasterOfPng } from '@signpost/testing/raster.ts';
import type { Terminal } from '@signpost/testing/terminal.ts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readPage } from '../../tools/checks/docs/page.ts';

const root = resolve(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** The blocks that a reader types, in their order. */
const blocks = readPage(readme)
  .fences.filter(({ language }) => language === 'bash' || language === 'sh')
  .map(({ code }) => code);
const [start = '', create = '', download = '', read = '', update = ''] = blocks;

/** The commands that lead to a running server; the last one is the server. */
const commands = start.trim().split('\n');
const install = `${commands.slice(0, -1).join('\n')}\n`;
const serve = commands.at(-1) ?? '';

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
// The README has the usual ports; tests that run beside this one must not be met there.
let engines: Record<string, string>;
let ports: Record<string, string>;

beforeAll(async () => {
  freshClone = createFreshClone();
  clone = join(freshClone.folder, 'signpost');
  engines = {
    DATABASE_URL: `postgres://postgres@127.0.0.1:${await freePort()}/signpost`,
    REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
    NATS_URL: `nats://127.0.0.1:${await freePort()}`,
  };
  const port = await freePort();
  filling.base = `http://localhost:${port}`;
  ports = { API_PORT: `${port}`, METRICS_PORT: `${await freePort()}`, PUBLIC_URL: filling.base };
});

afterAll(async () => {
  await freshClone.closeTerminals();
  const last = freshClone.openTerminal(freshClone.folder);
  await last.type('if [ -d signpost/.services ]; then cd signpost; npm run services -- stop; fi');
  await freshClone.leave();
});

describe('the README, followed to the letter in an empty folder without the tools of the project', () => {
  const startMs = performance.now();
  let second: Terminal;
  let passwordToken = '';
  let shortUrl = '';

  test('has the blocks that are typed here, and leaves nothing else open in them', () => {
    expect(blocks).toHaveLength(5);
    expect(commands.length).toBeLessThanOrEqual(5);
    const rest = blocks.join('').replaceAll(/<this repository>|http:\/\/localhost:8080|(sk_live|qr)_…/g, '');
    expect(rest).not.toMatch(/…|<|8080/);
    expect(install).toMatch(npmCi);
  });

  test(`leads from the clone to the first person, their account and its keys, its packages ${packages}`, async () => {
    const typed = filledIn(isLinked ? install.replace(npmCi, linkPackages) : install);
    const printed = await freshClone
      .openTerminal(freshClone.folder, { ...engines, ...ports })
      .type(typed, 500_000);
    expect(printed).toMatch(
      /^PostgreSQL +started.*\nRedis +started.*\nNATS +started.*\ndatabase +signpost made$/m,
    );
    expect(parseEnv(readFileSync(join(clone, '.env'), 'utf8'))).toMatchObject(engines);
    expect(printed).toMatch(/^test key key_\w+ +sk_test_\w{38}$/m);
    filling.key = /^live key key_\w+ +(sk_live_\w{38})$/m.exec(printed)?.[1] ?? '';
    expect(filling.key).not.toBe('');
    passwordToken = /\/app\/reset-password#token=(\S+)/.exec(printed)?.[1] ?? '';
    expect(passwordToken).not.toBe('');
  });

  test('starts the server by what is in .env, and in a second terminal makes a code', async () => {
    const server = freshClone.openTerminal(clone, ports);
    server.start(filledIn(serve));
    const isReady = async () => (await fetch(`${filling.base}/readyz`)).ok;
    await waitUntil('the server is ready', isReady, { timeoutMs: 180_000 }).catch(error => {
      throw new Error(`${error.message}\n${server.printed}`);
    });
    second = freshClone.openTerminal(clone);
    const made = JSON.parse(await second.type(filledIn(create)));
    expect(made).toMatchObject({ name: 'Spring menu', status: 'active', total_scans: 0 });
    filling.id = made.id;
    shortUrl = made.short_url;
    const image = await fetch(made.image_url);
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  test('downloads an image that a decoder reads as the short link', async () => {
    await second.type(filledIn(download));
    const picture = rasterOfPng(readFileSync(join(clone, 'menu.png')));
    expect(picture.width).toBe(1024);
    expect(await zxing(picture)).toBe(shortUrl);
  });

  test('has a short link that leads on, and then total_scans is 1', async () => {
    const { status, headers } = await fetch(shortUrl, { redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([302, 'https://example.com/menu/spring']);
    const scans = async () => JSON.parse(await second.type(filledIn(read))).total_scans as number;
    await waitUntil('the scan is counted', async () => (await scans()) > 0, { everyMs: 500 });
    expect(await scans()).toBe(1);
  });

  test('shows that code, scanned and counted, in the dashboard of the person who typed it', async () => {
    const browser = await launchChromium();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.goto(`${filling.base}/app/reset-password#token=${passwordToken}`);
    await page.getByLabel('New password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const code = page.getByRole('row').filter({ hasText: 'Spring menu' });
    await code.waitFor();
    await code.getByText('1', { exact: true }).first().waitFor();
    const me = await (await page.request.get(`${filling.base}/account/me`)).json();
    expect(me).toMatchObject({ user: { email, is_operator: true }, account: { name: 'My shop' } });
    console.log(
      `readme commands ${commands.length} seconds ${Math.round((performance.now() - startMs) / 1000)} packages ${packages}`,
    );
  });

  test('changes where the same link leads, at once', async () => {
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
});
