import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { launchChromium } from '@signpost/testing/chromium.ts';
import { callAs } from '@signpost/testing/dashboard/abuse.ts';
import { createDashboardFixture, type DashboardFixture } from '@signpost/testing/dashboard/fixture.ts';
import { signUpByForm } from '@signpost/testing/dashboard/people.ts';
import { openWatchedPage, type WatchedPage } from '@signpost/testing/dashboard/viewport.ts';
import { zxing } from '@signpost/testing/decoders.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { rasterOfPpm, rasterOfSvg } from '@signpost/testing/raster.ts';
import { type Receiver, startReceiver } from '@signpost/testing/receiver.ts';
import { runCommand } from '@signpost/testing/server.ts';
import { decodeMail, type SmtpSink, startSmtpSink } from '@signpost/testing/smtp-sink.ts';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../apps/server/src/platform/postgres/postgres.ts';
import { openHttp1, phone } from '../deploy/proxies/clients.ts';
import { type RunningProxy, startCaddy } from '../deploy/proxies/proxies.ts';

const [host, serviceHost] = ['go.shop-brand.example', 'sign.service.example'];

let fixture: DashboardFixture;
let browser: Browser;
let caddy: RunningProxy;
let owner: WatchedPage;
let mails: SmtpSink;
let receiver: Receiver;

beforeAll(async () => {
  mails = await startSmtpSink();
  [fixture, browser, receiver] = await Promise.all([
    createDashboardFixture({
      REQUIRE_VERIFIED_EMAIL: 'off',
      SHORT_BASE_URL: `https://${serviceHost}`,
      SMTP_URL: mails.url,
    }),
    launchChromium(),
    startReceiver(),
  ]);
  const signpost = new URL(fixture.url).host;
  caddy = await startCaddy(`${host} {\n\treverse_proxy ${signpost}\n}\n`, [host]);
  owner = await openWatchedPage(browser, fixture.url, { width: 1280, scheme: 'light' });
});
afterAll(async () => {
  await owner?.context.close();
  await browser?.close();
  await caddy?.close();
  await receiver?.close();
  await fixture?.close();
  mails?.close();
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
  await admin('set-domain', host, '--root-url', 'https://shop-brand.example/', '--default');

  await page.goto('/app/settings/domains');
  const row = page.getByRole('table', { name: 'Domains' }).getByRole('row').filter({ hasText: host });
  await row.getByText('Active').waitFor();
  await row.getByText('Default').waitFor();
  await row.getByText('shop-brand.example', { exact: true }).waitFor();

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
  expect((await scan('/')).headers.location).toBe('https://shop-brand.example/');
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

test('mails and webhooks about a code on a domain name its own host', async () => {
  const call = (method: 'GET' | 'POST', path: string, data?: object) =>
    callAs(owner.page.request, fixture.url, method, path, data);
  await fixture.base.db.query(sql('test-confirm-all', 'update auth_users set email_verified = true'));
  await call('POST', '/account/v1/webhooks', {
    url: `${receiver.url}/hook`,
    events: ['scan.created', 'qrcode.suspended', 'qrcode.released'],
    include_code_details: true,
  });
  await call('POST', '/account/v1/qrcodes', {
    name: 'Hooked',
    destination_url: 'https://example.com/hooked',
    short_code: 'hooked',
    domain: host,
  });
  const client = await openHttp1(caddy);
  const { status } = await client.ask({ host, path: '/hooked', headers: { 'user-agent': phone('two') } });
  expect(status).toBe(302);
  const link = `https://${host}/hooked`;
  await admin('suspend-code', link, '--reason', 'Phishing');
  await mails.mail(link, 'suspended');
  await admin('release-code', link);
  await mails.mail(link, 'no longer suspended');
  await admin('block-host', 'shop-brand.example');
  await mails.mail(host, 'no longer leads to one of its pages');
  await waitUntil('all events arrive', async () => receiver.arrivals.length >= 3);
  const events = receiver.arrivals.map(({ body }) => JSON.parse(body).event);
  expect(events.toSorted()).toEqual(['qrcode.released', 'qrcode.suspended', 'scan.created']);
  const said = [...receiver.arrivals.map(({ body }) => body), ...mails.mails.map(decodeMail)];
  for (const text of said) expect(text).not.toContain(serviceHost);
});

async function rasterOfPdf(path: string) {
  const pdf = await readFile(path);
  return rasterOfPpm(
    execFileSync('pdftoppm', ['-r', '300', '-singlefile', '-'], { input: pdf, maxBuffer: 256e6 }),
  );
}
