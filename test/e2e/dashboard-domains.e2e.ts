import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { launchChromium } from '@signpost/testing/chromium.ts';
import { createDashboardFixture, type DashboardFixture } from '@signpost/testing/dashboard/fixture.ts';
import { signUpByForm } from '@signpost/testing/dashboard/people.ts';
import { openWatchedPage, type WatchedPage } from '@signpost/testing/dashboard/viewport.ts';
import { zxing } from '@signpost/testing/decoders.ts';
import { rasterOfPpm, rasterOfSvg } from '@signpost/testing/raster.ts';
import { runCommand } from '@signpost/testing/server.ts';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHttp1, phone } from '../deploy/proxies/clients.ts';
import { type RunningProxy, startCaddy } from '../deploy/proxies/proxies.ts';

const [host, serviceHost] = ['go.brand.example', 'sign.service.example'];

let fixture: DashboardFixture;
let browser: Browser;
let caddy: RunningProxy;
let owner: WatchedPage;

beforeAll(async () => {
  [fixture, browser] = await Promise.all([
    createDashboardFixture({ REQUIRE_VERIFIED_EMAIL: 'off', SHORT_BASE_URL: `https://${serviceHost}` }),
    launchChromium(),
  ]);
  const signpost = new URL(fixture.url).host;
  caddy = await startCaddy(`${host} {\n\treverse_proxy ${signpost}\n}\n`, [host]);
  owner = await openWatchedPage(browser, fixture.url, { width: 1280, scheme: 'light' });
});
afterAll(async () => {
  await owner?.context.close();
  await browser?.close();
  await caddy?.close();
  await fixture?.close();
});

async function admin(...args: string[]): Promise<void> {
  const { code, output } = await runCommand(['admin', ...args], fixture.base.env);
  expect({ code, output }).toMatchObject({ code: 0 });
}

const preview = async (image: Locator): Promise<string | null> => {
  const src = (await image.getAttribute('src')) ?? '';
  return zxing(rasterOfSvg(decodeURIComponent(src.replace('data:image/svg+xml,', '')), 600));
};

test('the operator adds a host, the owner prints a code on it, and it is scanned through Caddy', async () => {
  const { page, faults } = owner;
  await signUpByForm(page);
  expect(await page.getByRole('combobox', { name: 'Domain' }).count()).toBe(0);
  const { account } = await (await page.request.get('/account/me')).json();
  await admin('add-domain', host, '--account', account.id);
  await admin('set-domain', host, '--root-url', 'https://brand.example/', '--default');

  await page.goto('/app/settings/domains');
  const row = page.getByRole('table', { name: 'Domains' }).getByRole('row').filter({ hasText: host });
  await row.getByText('Active').waitFor();
  await row.getByText('Default').waitFor();
  await row.getByText('brand.example', { exact: true }).waitFor();

  await page.goto('/app/codes/new');
  const chooser = page.getByRole('combobox', { name: 'Domain' });
  await chooser.waitFor();
  const image = page.getByRole('img', { name: 'Preview of the code' }).filter({ visible: true });
  await page.getByLabel('Custom link ending').fill('menu');
  await expect.poll(() => preview(image)).toBe(`https://${host}/menu`);
  await chooser.click();
  await page.getByRole('option', { name: serviceHost }).click();
  await expect.poll(() => preview(image)).toBe(`https://${serviceHost}/menu`);
  await page.getByText(`${serviceHost}/`, { exact: true }).waitFor();
  await chooser.click();
  await page.getByRole('option', { name: host, exact: true }).click();
  await expect.poll(() => preview(image)).toBe(`https://${host}/menu`);
  await page.getByText(`${host}/`, { exact: true }).waitFor();

  await page.getByLabel('Name').fill('Menu');
  await page.getByLabel('Destination').fill('https://example.com/menu');
  await page.getByRole('button', { name: 'Create code' }).filter({ visible: true }).click();
  await page.getByText('Waiting for your first scan').waitFor();
  await page.getByRole('link', { name: `${host}/menu`, exact: true }).waitFor();

  await page.getByRole('button', { name: 'Download', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radiogroup', { name: 'Use' }).getByText('Print', { exact: true }).click();
  await dialog.getByRole('radiogroup', { name: 'Format' }).getByText('PDF', { exact: true }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download PDF' }).click(),
  ]);
  const printed = await zxing(await rasterOfPdf(await file.path()));
  expect(printed).toBe(`https://${host}/menu`);

  const client = await openHttp1(caddy);
  const { pathname } = new URL(printed!);
  const scan = (path: string) => client.ask({ host, path, headers: { 'user-agent': phone('one') } });
  const { status, headers } = await scan(pathname);
  expect([status, headers.location]).toEqual([302, 'https://example.com/menu']);
  expect((await scan('/')).headers.location).toBe('https://brand.example/');
  expect((await scan('/app')).status).toBe(404);
  await page.getByRole('list', { name: 'Latest scans' }).getByText('Android').first().waitFor();

  await page.goto(`/app/codes?domain=${host}`);
  const listed = page.getByRole('table', { name: 'Your codes' });
  await listed.getByText(host, { exact: true }).waitFor();
  await page.getByRole('button', { name: `Remove filter: On ${host}` }).waitFor();

  await page.getByRole('radiogroup', { name: 'Live or test mode' }).getByText('Test').click();
  await page.goto('/app/codes/new');
  await page.getByLabel('Custom link ending').waitFor();
  expect(await chooser.count()).toBe(0);
  expect(faults).toEqual([]);
});

async function rasterOfPdf(path: string) {
  const pdf = await readFile(path);
  return rasterOfPpm(
    execFileSync('pdftoppm', ['-r', '300', '-singlefile', '-'], { input: pdf, maxBuffer: 256e6 }),
  );
}
