import { callAs, createCodeFor, type Owner, openOwner } from '@signpost/testing/dashboard/abuse.ts';
import { seriousFindings } from '@signpost/testing/dashboard/axe.ts';
import { loadDataset } from '@signpost/testing/dashboard/dataset.ts';
import { go, switchTo } from '@signpost/testing/dashboard/journey.ts';
import { openPage } from '@signpost/testing/dashboard/pages.ts';
import { watchScripts } from '@signpost/testing/dashboard/transfers.ts';
import { goodPassword } from '@signpost/testing/people.ts';
import type { Page, Request } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';

/** States that a person meets when something around the dashboard fails, and keys that work on every page. */

const onStage = loadDataset();
const codes = { path: '/app/codes', heading: 'Codes' };

let owner: Owner;
let code: { readonly id: string; readonly name: string; readonly short_url: string };

beforeAll(async () => {
  const { browser, fixture } = onStage();
  owner = await openOwner(browser, fixture, { width: 1440, scheme: 'light' }, 'Stella States');
  code = await createCodeFor(owner, fixture, 'Shopwindow');
});

afterEach(async () => {
  await owner.context.setOffline(false);
  await owner.page.unrouteAll();
});

/** Every request to the account's API from now on, as "METHOD path". */
function watchCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', request => calls.push(nameOf(request)));
  return calls;
}

const nameOf = (request: Request) => `${request.method()} ${new URL(request.url()).pathname}`;

test('offline, a click says so at once and nothing is sent later', async () => {
  const { page, context } = owner;
  await openPage(page, codes);
  const calls = watchCalls(page);
  await context.setOffline(true);
  await page.getByText('Nothing can be saved until you’re connected again.').waitFor();
  await page.getByRole('button', { name: 'Send again' }).click();
  await page
    .getByRole('alert')
    .filter({ hasText: 'The link was not sent' })
    .getByText('You’re offline.')
    .waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  // Away from where it was clicked, to a page that cannot be loaded now.
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  const before = calls.length;
  await context.setOffline(false);
  await page.getByText('Nothing can be saved').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
  // What is looked at is read again; nothing is written that was asked for while offline.
  expect(calls.slice(before).filter(call => !call.startsWith('GET'))).toEqual([]);
});

test('a page whose script cannot be loaded leaves the frame, and is loaded on the next try', async () => {
  const { page, context } = owner;
  await openPage(page, codes);
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Analytics' }).click();
  const problem = page.getByRole('alert').filter({ hasText: 'This page could not be loaded' });
  await problem.waitFor();
  expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(true);
  await problem.getByRole('button', { name: 'Try again' }).click();
  await problem.waitFor();
  await context.setOffline(false);
  await problem.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Analytics', level: 1 }).waitFor();
});

test('when the server is away at first, "Try again" loads the page', async () => {
  const { page } = owner;
  await page.route('**/account/me', route => route.abort('connectionrefused'));
  await page.goto('/app/codes');
  await page.getByText('The server isn’t responding.').waitFor();
  await page.unroute('**/account/me');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Codes', level: 1 }).waitFor();
  await page.getByRole('link', { name: code.name }).first().waitFor();
});

test('live codes are gone as soon as test mode is on, however slow its answer', async () => {
  const { page } = owner;
  await openPage(page, codes);
  await page.getByRole('link', { name: code.name }).first().waitFor();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/account/qrcodes?*', async route => {
    await held;
    await route.continue();
  });
  const asked = page.waitForRequest(request => request.headers()['x-signpost-mode'] === 'test');
  await switchTo(page, 'Test');
  await asked;
  await page.getByText('Test mode').first().waitFor();
  expect(await page.getByText(code.name).count()).toBe(0);
  release();
  await page.getByRole('button', { name: 'Back to live' }).click();
  await page.getByRole('link', { name: code.name }).first().waitFor();
});

test('a key that is shown once is not lost by Escape, and is copied on plain http too', async () => {
  const { browser, fixture } = onStage();
  const plain = await openOwner(browser, fixture, { width: 1440, scheme: 'dark' }, 'Hattie Http');
  const { page, context } = plain;
  // As browsers have it on http.
  await context.addInitScript(`Object.defineProperty(Navigator.prototype, 'clipboard', { get() {} })`);
  await openPage(page, { path: '/app/settings/keys', heading: 'API keys' });
  await page.getByRole('button', { name: 'New live key' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.locator('[aria-invalid=true]').first().waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await dialog.getByLabel('Name').fill('Till');
  await dialog.getByLabel('Current password').fill(goodPassword);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const shown = dialog.getByRole('region', { name: 'API key' });
  const key = (await shown.textContent())!;
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog');
  await question.getByText('Close without copying the API key?').waitFor();
  await question.getByRole('button', { name: 'Go back' }).click();
  expect(await shown.textContent()).toBe(key);
  await dialog.getByRole('button', { name: 'Copy API key' }).last().click();
  await dialog.getByText('Copied', { exact: true }).first().waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  const search = page.getByRole('combobox');
  await search.press('Control+v');
  expect(await search.inputValue()).toBe(key);
  await context.close();
});

test('the palette finds codes and pages; keys do nothing while somebody types', async () => {
  const { page } = owner;
  await openPage(page, codes);
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog');
  await palette.getByRole('combobox').fill('shopw');
  await palette.getByRole('option', { name: code.name }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: code.name, level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await palette.getByRole('combobox').fill('webh');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('c');
  await page.keyboard.press('Escape');
  await palette.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  await go(page, 'Codes');
  await page.getByRole('link', { name: code.name }).first().waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('c?');
  const search = page.getByRole('searchbox');
  expect(await search.inputValue()).toBe('c?');
  await openPage(page, codes);
  await page.keyboard.press('c');
  await page.getByRole('heading', { name: 'New code', level: 1 }).waitFor();
});

test('a burst of scans has the page read again a few times, not once a scan', async () => {
  const { page } = owner;
  const { fixture } = onStage();
  await openPage(page, { path: `/app/codes/${code.id}`, heading: code.name });
  await page
    .getByRole('status')
    .filter({ hasText: /^Live$/ })
    .waitFor();
  const path = `/account/v1/qrcodes/${code.id}`;
  const calls = watchCalls(page);
  const scans = 24;
  const all = page.waitForResponse(
    async response =>
      new URL(response.url()).pathname === path &&
      (await response.json().catch(() => ({}))).total_scans === scans,
  );
  for (let scan = 0; scan < scans; scan++) {
    await fixture.scan(code.short_url, { address: `203.0.113.${scan + 1}` });
    // Each of them reaches the page by itself.
    await callAs(page.request, fixture.url, 'GET', '/account/me');
  }
  await all;
  expect(calls.filter(call => call === `GET ${path}`).length).toBeLessThan(scans / 2);
});

test('a page is at most 12 scripts; data and scripts are asked for together', async () => {
  const { page } = owner;
  const scripts = watchScripts(page);
  // Each is held back until the other was asked for: one after the other would never end.
  const asked = (part: string) => page.waitForRequest(request => request.url().includes(part));
  const me = asked('/account/me');
  const list = asked('/account/qrcodes?');
  await page.route(/assets\/index-.*\.js/, async route => {
    await me;
    await route.continue();
  });
  await page.route(/assets\/codes-page-.*\.js/, async route => {
    await list;
    await route.continue();
  });
  await openPage(page, codes);
  expect((await scripts()).length).toBeLessThanOrEqual(12);
});
