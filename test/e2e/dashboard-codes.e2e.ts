import { readFile } from 'node:fs/promises';
import { seriousFindings } from '@signpost/testing/dashboard/axe.ts';
import { loadDataset } from '@signpost/testing/dashboard/dataset.ts';
import { longName } from '@signpost/testing/dashboard/fill.ts';
import { go } from '@signpost/testing/dashboard/journey.ts';
import { layoutFaults } from '@signpost/testing/dashboard/layout.ts';
import { signUpByForm } from '@signpost/testing/dashboard/people.ts';
import { allWidths, openWatchedPage, type WatchedPage } from '@signpost/testing/dashboard/viewport.ts';
import { zbar, zxing } from '@signpost/testing/decoders.ts';
import { onWhite, pixelsPerMetreOf, rasterOfPng } from '@signpost/testing/raster.ts';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const onStage = loadDataset();
const destinations = { spring: 'https://example.com/menu/spring', summer: 'https://example.com/menu/summer' };

/** One person, who walks through everything in one window. */
let owner: WatchedPage;
let shortUrl: string;
let codePath: string;
beforeAll(async () => {
  const { browser, fixture } = onStage();
  owner = await openWatchedPage(browser, fixture.url, { width: 1440, scheme: 'light' });
  owner.page.setDefaultTimeout(30_000);
  await signUpByForm(owner.page);
});
afterAll(() => owner?.context.close());

const create = async (data: object) => {
  const { fixture } = onStage();
  const response = await owner.page.request.post('/account/v1/qrcodes', {
    headers: { origin: fixture.url },
    data,
  });
  if (!response.ok()) throw new Error(await response.text());
  return await response.json();
};
const leadsTo = async () =>
  (await fetch(shortUrl, { method: 'HEAD', redirect: 'manual' })).headers.get('location');
const menu = (page: Page) => page.getByRole('button', { name: 'More actions', exact: true });
const toast = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text });

describe('a new code', () => {
  test('is warned of while its short link is no public https address', async () => {
    const { page } = owner;
    await page.getByText('Phones outside your network can’t open this code').waitFor();
  });

  test('is not lost without a question', async () => {
    const { page } = owner;
    await page.getByLabel('Name').fill('Spring menu');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Codes' }).click();
    const question = page.getByRole('dialog', { name: 'Discard your changes?' });
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name').inputValue()).toBe('Spring menu');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Codes' }).click();
    await question.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('heading', { name: 'Create your first code' }).waitFor();
  });

  test('of colours that are too similar is mended by one click', async () => {
    const { page } = owner;
    await page.getByRole('link', { name: 'New code' }).first().click();
    await page.getByRole('textbox', { name: 'Dot colour' }).fill('#F0F0F0');
    await page.getByText('Dots and background are too similar. Choose a darker dot colour.').waitFor();
    expect(await page.getByRole('button', { name: 'Create code' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Fix it' }).click();
    await page.getByText('Scans well').waitFor();
  });

  test('gets https:// in front, and its campaign parameters stand in its destination', async () => {
    const { page } = owner;
    await page.getByLabel('Destination').fill('example.com/menu/spring');
    await page.getByRole('button', { name: 'Campaign parameters' }).click();
    await page.getByLabel('Source').fill('table 4');
    expect(await page.getByLabel('Destination').inputValue()).toBe(
      `${destinations.spring}?utm_source=table%204`,
    );
    await page.getByLabel('Destination').fill(`${destinations.spring}?utm_medium=qr`);
    expect(await page.getByLabel('Medium').inputValue()).toBe('qr');
    await page.getByLabel('Medium').fill('');
  });

  test('saved as a draft is in one clear state until it is published', async () => {
    const { page } = owner;
    await page.getByLabel('Name').fill('Spring menu');
    await page.getByLabel('Custom link ending').fill('spring-menu');
    await page.getByRole('button', { name: 'Save as draft' }).click();
    await page.getByText('This code is a draft').waitFor();
    expect(await page.getByText('Waiting for your first scan').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'open the short link' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Waiting for your first scan').waitFor();
    shortUrl = (await page.getByRole('link', { name: 'open the short link' }).getAttribute('href'))!;
    codePath = new URL(page.url()).pathname;
    expect(await leadsTo()).toBe(destinations.spring);
  });

  test('shows a list, and never "Create your first code", once there is one', async () => {
    const { page } = owner;
    // What the page showed on the way, however short.
    await page.evaluate(`globalThis.flashes = 0;
      new MutationObserver(() => { if (document.body.innerText.includes('Create your first code')) globalThis.flashes++; })
        .observe(document.body, { childList: true, subtree: true })`);
    await page.route('**/account/qrcodes?*', async route => {
      await new Promise(resolve => setTimeout(resolve, 400));
      await route.continue();
    });
    await go(page, 'Codes');
    await page.getByRole('link', { name: 'Spring menu' }).waitFor();
    await page.getByLabel('Search codes').fill('nothing like it');
    await page.getByRole('heading', { name: 'No codes match' }).waitFor();
    await page.getByRole('button', { name: 'Show all codes' }).click();
    await page.getByRole('link', { name: 'Spring menu' }).waitFor();
    await page.unroute('**/account/qrcodes?*');
    expect(await page.evaluate('globalThis.flashes')).toBe(0);
  });

  test('has what the server refuses on its field', async () => {
    const { page } = owner;
    await page.goto('/app/codes/new');
    await page.getByLabel('Name').fill('Autumn menu');
    await page.getByLabel('Destination').fill(shortUrl);
    await page.getByLabel('Custom link ending').fill('autumn-menu');
    await page.getByRole('button', { name: 'Create code' }).click();
    await expectFault(page, 'Destination');
    await page.getByLabel('Destination').fill(destinations.summer);
    await page.getByLabel('Custom link ending').fill('spring-menu');
    await page.getByRole('button', { name: 'Create code' }).click();
    await expectFault(page, 'Custom link ending');
    expect(await page.getByText('The code was not created').count()).toBe(0);
  });

  test('on a phone keeps its picture and its button in sight', async () => {
    const { page } = owner;
    await page.goto('/app/codes/new');
    await page.setViewportSize({ width: 375, height: 812 });
    const button = page.getByRole('button', { name: 'Create code' });
    const picture = page.getByRole('img', { name: 'Preview of the code' });
    for (const element of [button, picture]) {
      const box = (await element.boundingBox())!;
      expect(box.y + box.height).toBeLessThanOrEqual(812);
      expect(box.x + box.width).toBeLessThanOrEqual(375);
    }
    expect(await layoutFaults(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
  });
});

describe('the list', () => {
  beforeAll(async () => {
    await create({ name: longName, destination_url: `https://example.com/${'long/'.repeat(40)}` });
    await create({ name: `Draft: ${longName}`, destination_url: destinations.summer, status: 'draft' });
    for (const name of ['Window', 'Table']) await create({ name, destination_url: destinations.summer });
  });

  test('shows every name at every width, cuts nothing without a hint, and never scrolls sideways', async () => {
    const { page } = owner;
    await page.goto('/app/codes');
    for (const width of allWidths) {
      await page.setViewportSize({ width, height: 900 });
      // Cards below 600 px of content, in a window of 896.
      await page.getByRole(width < 900 ? 'list' : 'table', { name: 'Your codes' }).waitFor();
      expect([width, await layoutFaults(page)]).toEqual([width, []]);
      const { names, rows } = await measureRows(page);
      expect([width, names.length, names.every(name => name >= 120)]).toEqual([width, 5, true]);
      for (const height of rows) expect(height).toBeGreaterThanOrEqual(44);
      for (const height of rows) expect(height).toBeLessThanOrEqual(48);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('and its search box agree after Back and after a link', async () => {
    const { page } = owner;
    await page.goto('/app/codes');
    const box = page.getByLabel('Search codes');
    await box.fill('window');
    await page.getByText('1 code', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Window' }).click();
    await page.getByRole('heading', { name: 'Window', level: 1 }).waitFor();
    await page.goBack();
    await page.getByText('1 code', { exact: true }).waitFor();
    expect(await box.inputValue()).toBe('window');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Codes' }).click();
    await page.getByText('5 codes', { exact: true }).waitFor();
    expect(await box.inputValue()).toBe('');
    await page.goBack();
    await page.getByText('1 code', { exact: true }).waitFor();
    expect(await box.inputValue()).toBe('window');
    await box.fill('');
    await page.getByText('5 codes', { exact: true }).waitFor();
  });

  test('is sorted by its headings, says health with its reason, and opens a code anywhere in its row', async () => {
    const { page } = owner;
    await page.goto('/app/codes');
    const rows = page.getByRole('table', { name: 'Your codes' }).locator('tbody tr');
    await page.getByRole('button', { name: 'Name', exact: true }).click();
    await page
      .getByRole('columnheader', { name: 'Name' })
      .and(page.locator('[aria-sort=ascending]'))
      .waitFor();
    await expect.poll(() => rows.first().textContent()).toContain('A very long');
    await page.getByRole('note', { name: 'New: Created in the last 7 days.' }).first().waitFor();
    expect(await rows.filter({ hasText: 'Active' }).count()).toBe(0);
    await page.getByRole('button', { name: 'More actions for Table' }).click();
    await page.getByRole('menuitem', { name: 'Copy link' }).click();
    await page.getByText('Link copied.').waitFor();
    await page.getByRole('button', { name: 'More actions for Table' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await rows.filter({ hasText: 'Spring menu' }).locator('td').nth(3).click();
    await page.getByRole('heading', { name: 'Spring menu', level: 1 }).waitFor();
  });
});

describe('a code', () => {
  const open = async (page: Page, tab = '') => await page.goto(`${codePath}${tab}`);

  test('takes a change back from its toast: destination, name and pause', async () => {
    const { page } = owner;
    await open(page);
    await page.getByLabel('Destination').fill(destinations.summer);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('→ example.com/menu/summer').waitFor();
    expect(await leadsTo()).toBe(destinations.summer);
    expect(await seriousFindings(page)).toEqual([]);
    await toast(page, 'Destination changed.').getByRole('button', { name: 'Undo' }).click();
    await page.getByText('→ example.com/menu/spring').waitFor();
    expect(await leadsTo()).toBe(destinations.spring);

    await page.getByLabel('Name').fill('Winter menu');
    await page.getByRole('button', { name: 'Save' }).click();
    await toast(page, 'Code renamed.').getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { name: 'Spring menu', level: 1 }).waitFor();

    await menu(page).click();
    await page.getByRole('menuitem', { name: 'Pause' }).click();
    await page.getByText('This code is paused').waitFor();
    await toast(page, 'Code paused.').getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Waiting for your first scan').waitFor();
    expect(await leadsTo()).toBe(destinations.spring);
  });

  test('has an old destination restored by name, after a question', async () => {
    const { page } = owner;
    await open(page, '/history');
    const button = page.getByRole('button', { name: `Restore this destination: ${destinations.summer}` });
    await button.click();
    const question = page.getByRole('dialog', { name: 'Restore this destination?' });
    await question.getByText(destinations.summer).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await leadsTo()).toBe(destinations.spring);
    await button.click();
    await question.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('→ example.com/menu/summer').waitFor();
    expect(await leadsTo()).toBe(destinations.summer);
  });

  test('is downloaded for print with its resolution, and read by two decoders, without a background too', async () => {
    const { page } = owner;
    await open(page);
    for (const background of ['As designed', 'None']) {
      await page.getByRole('button', { name: 'Download', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Phones outside your network can’t open this code').waitFor();
      await dialog.getByRole('radiogroup', { name: 'Use' }).getByText('Print').click();
      await dialog.getByText(/Smallest safe size for this code: \d+ mm/).waitFor();
      await dialog.getByRole('radiogroup', { name: 'Format' }).getByText('PNG').click();
      await dialog.getByRole('radiogroup', { name: 'Resolution' }).getByText('600 dpi').click();
      await dialog.getByRole('radiogroup', { name: 'Background' }).getByText(background).click();
      expect(await seriousFindings(page)).toEqual([]);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name: 'Download PNG' }).click(),
      ]);
      await dialog.waitFor({ state: 'detached' });
      const png = await readFile(await download.path());
      expect(pixelsPerMetreOf(png)).toBe(23_622);
      const picture = onWhite(rasterOfPng(png));
      expect(picture.width).toBe(709);
      expect([await zxing(picture), await zbar(picture)]).toEqual([shortUrl, shortUrl]);
    }
  });

  test('is duplicated with its name, destination and design', async () => {
    const { page } = owner;
    await open(page);
    await menu(page).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await page.getByRole('heading', { name: 'New code', level: 1 }).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Copy of Spring menu');
    expect(await page.getByLabel('Destination').inputValue()).toBe(destinations.summer);
    expect(await page.getByRole('textbox', { name: 'Dot colour' }).inputValue()).not.toBe('#000000');
    expect(await page.getByLabel('Custom link ending').inputValue()).toBe('');
  });

  test('is archived: gone from the list, found under its status, and its link leads on', async () => {
    const { page } = owner;
    await open(page);
    await menu(page).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await toast(page, 'Code archived.').waitFor();
    await go(page, 'Codes');
    const inList = page.getByRole('link', { name: 'Spring menu', exact: true });
    await inList.waitFor({ state: 'detached' });
    expect(await leadsTo()).toBe(destinations.summer);
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Archived' }).click();
    await inList.waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('checkbox', { name: 'Select Spring menu' }).check();
    await page.getByRole('button', { name: 'More actions for the selected codes' }).click();
    await page.getByRole('menuitem', { name: 'Unarchive' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unarchive 1 code' }).click();
    await page.getByRole('heading', { name: 'No codes match' }).waitFor();
    await page.getByRole('button', { name: 'Show all codes' }).click();
    await inList.waitFor();
  });

  test('that was deleted gives its ending to a new one, after a question', async () => {
    const { page } = owner;
    const { fixture } = onStage();
    const short_code = 'old-flyer';
    const { id } = await create({ name: 'Old flyer', destination_url: destinations.spring, short_code });
    await page.request.delete(`/account/v1/qrcodes/${id}`, { headers: { origin: fixture.url } });
    await page.goto('/app/codes/new');
    await page.getByLabel('Name').fill('New flyer');
    await page.getByLabel('Destination').fill(destinations.summer);
    await page.getByLabel('Custom link ending').fill(short_code);
    await page.getByRole('button', { name: 'Create code' }).click();
    await page.getByText('You have used this ending before').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Use it again' }).click();
    await page.getByRole('heading', { name: 'New flyer', level: 1 }).waitFor();
    const { headers } = await fetch(`${fixture.url}/${short_code}`, { method: 'HEAD', redirect: 'manual' });
    expect(headers.get('location')).toBe(destinations.summer);
  });

  test('asks the server a few times for many scans', async () => {
    const { page } = owner;
    const { fixture } = onStage();
    await open(page);
    await page.getByText('Waiting for your first scan').waitFor();
    let reads = 0;
    page.on('request', request => {
      if (/\/account\/v1\/qrcodes\/qr_\w+$/.test(request.url()) && request.method() === 'GET') reads++;
    });
    for (let scan = 0; scan < 30; scan++) await fixture.scan(shortUrl, { address: `203.0.113.${scan + 1}` });
    await page.getByText('30', { exact: true }).first().waitFor();
    // At once, at the end, and every two seconds between on a slow machine.
    expect(reads).toBeLessThan(15);
  });
});

async function expectFault(page: Page, label: string): Promise<void> {
  await page.getByLabel(label).and(page.locator('[aria-invalid=true]:focus')).waitFor();
}

/** Widths of the room for names, and heights of the rows of a table. */
const measureRows = async (page: Page) =>
  (await page.evaluate(`({
    names: [...document.querySelectorAll('main a[href*="/codes/qr_"]')].map(link => {
      const cell = link.closest('td, li');
      return link.parentElement.parentElement.getBoundingClientRect().width * (cell ? 1 : 0);
    }),
    rows: [...document.querySelectorAll('main tbody tr')].map(row => row.getBoundingClientRect().height),
  })`)) as { names: number[]; rows: number[] };
