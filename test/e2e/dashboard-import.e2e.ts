import { readFile } from 'node:fs/promises';
import { callAs } from '@signpost/testing/dashboard/abuse.ts';
import { seriousFindings } from '@signpost/testing/dashboard/axe.ts';
import { figure, readChart, scansPerPx } from '@signpost/testing/dashboard/chart.ts';
import { countClicks } from '@signpost/testing/dashboard/clicks.ts';
import { loadDataset } from '@signpost/testing/dashboard/dataset.ts';
import { addPastScans, backdateCode } from '@signpost/testing/dashboard/past-scans.ts';
import { signUpByForm } from '@signpost/testing/dashboard/people.ts';
import { openWatchedPage } from '@signpost/testing/dashboard/viewport.ts';
import { zbar, zxing } from '@signpost/testing/decoders.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { rasterOfPng } from '@signpost/testing/raster.ts';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

const onStage = loadDataset();
const desktop = { width: 1440, scheme: 'light' } as const;

/** A sheet as an owner has it: 120 tables of a restaurant, seven of which have something wrong. */
function sheetOfTables(): string {
  const rows = Array.from({ length: 120 }, (_, at) => [
    `Table ${at + 1}`,
    `https://example.com/order?table=${at + 1}`,
    `import-table-${at + 1}`,
  ]);
  rows[4]![0] = '';
  rows[19]![1] = '';
  rows[33]![1] = 'ask the kitchen';
  rows[57]![1] = 'ftp://example.com/menu';
  rows[76]![2] = 'table 77';
  rows[98]![2] = 'import-table-1';
  // Only the server knows that this one is reserved.
  rows[111]![2] = 'docs';
  return [['Name', 'Destination', 'Link ending'], ...rows].map(cells => cells.join(';')).join('\r\n');
}

test('an owner imports a sheet, mends it in place, and has working images, in fewer than 40 clicks', async () => {
  const { fixture, browser } = onStage();
  const { page, context, faults } = await openWatchedPage(browser, fixture.url, desktop);
  const clicks = await countClicks(page);
  await signUpByForm(page);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Codes' }).click();
  await page.getByRole('link', { name: 'Import' }).first().click();
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose a file' }).click(),
  ]);
  await chooser.setFiles({ name: 'tables.csv', mimeType: 'text/csv', buffer: Buffer.from(sheetOfTables()) });

  await page.getByRole('heading', { name: '120 rows' }).waitFor();
  await page.getByText('6 problems to fix').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.getByRole('switch', { name: 'Show only rows to fix' }).click();
  await mend(page, 'Name, row 5', 'Table 5');
  await mend(page, 'Destination, row 20', 'example.com/order?table=20');
  await mend(page, 'Destination, row 34', 'https://example.com/order?table=34');
  await mend(page, 'Destination, row 58', 'https://example.com/order?table=58');
  await mend(page, 'Link ending, row 77', 'import-table-77');
  await page.getByText('Row 1 has the same link ending').waitFor();
  await mend(page, 'Link ending, row 99', '');
  await page.getByText('All rows are ready').waitFor();

  await page.getByRole('button', { name: 'Create 120 codes' }).click();
  await page.getByText('1 row needs another look').waitFor();
  await page.getByText('This link ending is reserved').waitFor();
  await mend(page, 'Link ending, row 112', 'import-table-112');
  await page.getByRole('button', { name: 'Create 120 codes' }).click();
  await page.getByRole('heading', { name: '120 codes created' }).waitFor();

  const zip = unzipSync(await downloaded(page, 'Download images (ZIP)'));
  expect(Object.keys(zip)).toHaveLength(120);
  const csv = Buffer.from(await downloaded(page, 'Download CSV with links')).toString();
  const lines = csv.trim().split('\r\n').slice(1);
  expect(lines).toHaveLength(120);
  for (const table of [5, 20, 112]) {
    const [, destination, , , shortUrl, , image] = lines
      .find(line => line.startsWith(`Table ${table},`))!
      .split(',');
    expect(destination).toBe(`https://example.com/order?table=${table}`);
    const raster = rasterOfPng(zip[image!]!);
    expect([await zbar(raster), await zxing(raster)]).toEqual([shortUrl, shortUrl]);
    expect(await fixture.scan(shortUrl!)).toBe(302);
    expect(await leadsTo(shortUrl!)).toBe(destination);
  }

  await page.getByRole('link', { name: 'Go to your codes' }).click();
  await page.getByRole('link', { name: 'Table 112', exact: true }).first().click();
  await repoint(page, `${fixture.url}/import-table-112`);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await waitUntil(
    'the change is taken back',
    async () => (await leadsTo(`${fixture.url}/import-table-112`)) === 'https://example.com/order?table=112',
  );

  // Three weeks later the owner compares this week with the one before.
  const counted = { thisWeek: 30, weekBefore: 20 };
  await passThreeWeeks(page, counted);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Analytics' }).click();
  await page.getByRole('radiogroup', { name: 'Period' }).getByText('7 days').click();
  // With the three scans of today.
  await page.getByRole('img', { name: `Scans over time, ${counted.thisWeek + 3} in all, by day` }).waitFor();
  await figure(page, 'Scans').getByText('up 65% from 20 in the previous period').waitFor();
  await page.getByText('Previous period', { exact: true }).waitFor();
  const drawn = await readChart(page);
  const sumOf = (heights: readonly number[]) =>
    heights.reduce((sum, height) => sum + height * scansPerPx(drawn), 0);
  expect(sumOf(drawn.buckets.map(({ height }) => height))).toBeCloseTo(counted.thisWeek + 3, 1);
  expect(drawn.ghost).toHaveLength(7);
  expect(sumOf(drawn.ghost)).toBeCloseTo(counted.weekBefore, 0);
  expect(await seriousFindings(page)).toEqual([]);
  console.log(`journey clicks ${await clicks()}`);
  expect(await clicks()).toBeLessThan(40);
  expect(faults).toEqual([]);
  await context.close();
});

test('an import that is cut off goes on where it was, and no code is made twice', async () => {
  const { fixture, browser } = onStage();
  const { page, context } = await openWatchedPage(browser, fixture.url, desktop);
  await signUpByForm(page);
  await page.goto('/app/codes/import');
  await paste(page, 'Lost answer\thttps://example.com/lost\nOther\thttps://example.com/other');
  await page.getByRole('heading', { name: '2 rows' }).waitFor();
  expect(await page.locator('nav [aria-current=page]').allTextContents()).toEqual(['Import']);

  // Who leaves is asked first.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Codes' }).click();
  const question = page.getByRole('dialog');
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await question.waitFor({ state: 'detached' });

  // The server makes the codes; its answer is lost on the way.
  await page.route('**/qrcodes/bulk', async route => {
    const isDryRun = route.request().postDataJSON().dry_run === true;
    if (isDryRun) return await route.continue();
    await route.fetch();
    await route.abort('connectionreset');
  });
  await page.getByRole('button', { name: 'Create 2 codes' }).click();
  await page.getByText('The import was interrupted').waitFor();
  await page.unroute('**/qrcodes/bulk');
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('heading', { name: '2 codes created' }).waitFor();
  expect(await codesOf(page)).toBe(2);

  // Offline is said at once, and nothing goes out before a person says so.
  await page.getByRole('button', { name: 'Import another file' }).click();
  await paste(page, 'Offline\thttps://example.com/offline');
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Create 1 code' }).click();
  await page.getByText('You’re offline').first().waitFor();
  await context.setOffline(false);
  expect(await codesOf(page)).toBe(2);
  await page.getByRole('button', { name: 'Retry' }).first().click();
  await page.getByRole('heading', { name: '1 code created' }).waitFor();
  expect(await codesOf(page)).toBe(3);

  // Ten thousand rows are a page of fifty fields; an edit shows at once.
  await page.getByRole('button', { name: 'Import another file' }).click();
  await page.locator('input[type=file]').setInputFiles({
    name: 'large.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`Name,URL\n${'Menu,https://example.com/menu\n'.repeat(10_000)}`),
  });
  await page.getByRole('heading', { name: '10,000 rows' }).waitFor();
  expect(await page.getByRole('table', { name: 'Rows' }).getByRole('row').count()).toBe(51);
  await mend(page, 'Name, row 7', '');
  await page.getByText('1 problem to fix').waitFor();
  await page.getByRole('button', { name: 'Create 9,999 codes' }).waitFor();
  await context.close();
});

/** Makes all codes three weeks older, and adds scans of one of them in the last week and in the one before. */
async function passThreeWeeks(
  page: Page,
  counted: { readonly thisWeek: number; readonly weekBefore: number },
): Promise<void> {
  const { fixture } = onStage();
  const list = await callAs(page.request, fixture.url, 'GET', '/account/v1/qrcodes?limit=100');
  const rest = await callAs(page.request, fixture.url, 'GET', '/account/v1/qrcodes?limit=100&page=2');
  const codes = [...list.data, ...rest.data] as readonly { readonly id: string }[];
  expect(codes).toHaveLength(120);
  for (const { id } of codes) await backdateCode(fixture, id, new Date(Date.now() - 21 * dayMs));
  const scansFrom = (daysAgo: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({ atMs: Date.now() - (daysAgo + (at % 5)) * dayMs }));
  await addPastScans(fixture, codes[0]!.id, [
    ...scansFrom(1, counted.thisWeek),
    ...scansFrom(8, counted.weekBefore),
  ]);
}

const dayMs = 86_400_000;

async function mend(page: Page, cell: string, value: string): Promise<void> {
  const field = page.getByRole('textbox', { name: cell, exact: true });
  await field.click();
  await field.fill(value);
}

async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  await page.getByLabel('Or paste rows from a spreadsheet').focus();
  await page.keyboard.press('Control+V');
}

async function downloaded(page: Page, button: string): Promise<Uint8Array> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  return new Uint8Array(await readFile(await download.path()));
}

const leadsTo = async (shortUrl: string): Promise<string | null> =>
  (await fetch(shortUrl, { method: 'HEAD', redirect: 'manual' })).headers.get('location');

async function repoint(page: Page, shortUrl: string): Promise<void> {
  const next = 'https://example.com/order/terrace';
  await page.getByLabel('Destination').first().fill(next);
  await page.getByRole('button', { name: 'Save' }).click();
  await waitUntil('the code leads to the new page', async () => (await leadsTo(shortUrl)) === next);
}

/** By the session of the page, as its list does. */
const codesOf = (page: Page): Promise<number> =>
  page.evaluate(
    `fetch('/account/qrcodes', { headers: { 'x-signpost-mode': 'live' } }).then(r => r.json()).then(b => b.pagination.total)`,
  );
