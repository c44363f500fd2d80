import { fillOperatorPages, makeOperator, openOwner } from '@signpost/testing/dashboard/abuse.ts';
import { loadDataset } from '@signpost/testing/dashboard/dataset.ts';
import { fillAccount, fillWithLongNames, longName } from '@signpost/testing/dashboard/fill.ts';
import { switchTo } from '@signpost/testing/dashboard/journey.ts';
import { type LaidOutPage, walkLayouts } from '@signpost/testing/dashboard/layout.ts';
import { openPage, signedInPages, signedOutPages } from '@signpost/testing/dashboard/pages.ts';
import { allWidths, openWatchedPage, schemes, type Viewport } from '@signpost/testing/dashboard/viewport.ts';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

/** Every page of the dashboard in every width, with the longest names there are: nothing scrolls sideways or is cut. */

const onStage = loadDataset();

/** In CI a phone, where most can go wrong; other widths are seen there by the tests of pages and of what opens on them. */
const viewports: readonly Viewport[] = process.env.CI
  ? [{ width: 375, scheme: 'dark' }]
  : allWidths.flatMap(width => schemes.map(scheme => ({ width, scheme })));

const start: Viewport = { width: 1440, scheme: 'light' };
const longPerson = 'Wilhelmina Donaudampfschifffahrtsgesellschaft-Kapitänsmützenabzeichen';

test('an owner’s pages, full of long names', async () => {
  const { browser, fixture, receiver } = onStage();
  const { page, context, faults } = await openOwner(browser, fixture, start, longPerson);
  const { code, webhook, design } = await fillWithLongNames(page, fixture, receiver);
  const analytics = `/app/codes/${code.id}/analytics`;
  const places: readonly LaidOutPage[] = [
    ...signedInPages(code, webhook, design),
    { path: '/app/codes/import', heading: 'Import codes', what: 'with rows', prepare: pasteRows },
    { path: '/app/codes/new', heading: 'New code', what: 'with faults', prepare: submitNothing },
    { path: `${analytics}?preset=12m&country=GB`, heading: code.name },
    { path: `${analytics}?preset=90d`, heading: code.name, what: 'as a table', prepare: showTable },
    { path: '/app/codes?search=nothing', heading: 'Codes' },
  ];
  expect(await walkLayouts(page, places, viewports)).toEqual([]);
  expect(faults).toEqual([]);
  await context.close();
});

test('an owner’s pages in test mode, where nothing is yet', async () => {
  const { browser, fixture, receiver } = onStage();
  const { page, context } = await openOwner(browser, fixture, start, longPerson);
  const { code, webhook, design } = await fillAccount(page, fixture, receiver);
  await openPage(page, { path: '/app/codes', heading: 'Codes' });
  await switchTo(page, 'Test');
  const places = signedInPages(code, webhook, design).filter(
    ({ path }) => !/qr_|whk_|dsn_|import|new|account/.test(path),
  );
  expect(await walkLayouts(page, places, viewports)).toEqual([]);
  await context.close();
});

test('an operator’s pages', async () => {
  const { browser, fixture } = onStage();
  const operator = await openOwner(browser, fixture, start, longPerson);
  const owner = await openOwner(browser, fixture, start, longName);
  await makeOperator(fixture, operator.person);
  const { pages, stopped } = await fillOperatorPages(operator.page.request, fixture, owner);
  expect(await walkLayouts(operator.page, pages, viewports)).toEqual([]);
  const suspended = { path: `/app/codes/${stopped.id}`, heading: stopped.name };
  expect(await walkLayouts(owner.page, [suspended], viewports)).toEqual([]);
  await operator.context.close();
  await owner.context.close();
});

test('the pages of somebody who is not signed in', async () => {
  const { browser, fixture } = onStage();
  const { page, context } = await openWatchedPage(browser, fixture.url, start);
  const places: readonly LaidOutPage[] = [
    // By now there is an operator, so nobody sets the server up.
    ...signedOutPages.filter(({ path }) => path !== '/app/first-operator'),
    { path: '/app/nowhere', heading: 'Page not found' },
    { path: '/app/sign-up', heading: 'Create an account', what: 'with faults', prepare: submitSignUp },
  ];
  expect(await walkLayouts(page, places, viewports)).toEqual([]);
  await context.close();
});

async function pasteRows(page: Page): Promise<void> {
  const rows = [
    `${longName}\thttps://example.com/${'long/'.repeat(40)}\ta-link-ending`,
    'Faulty\tnowhere\tno ending',
  ];
  await page.getByLabel('Or paste rows from a spreadsheet').fill(rows.join('\n'));
  await page.getByRole('button', { name: 'Check these rows' }).click();
  await page.getByRole('heading', { name: '2 rows' }).waitFor();
}

async function submitNothing(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Campaign parameters' }).click();
  await page.getByRole('button', { name: 'Create code' }).click();
  await page.getByText('Enter a name').waitFor();
}

async function submitSignUp(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByText('Enter your name').waitFor();
}

async function showTable(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Show as table' }).click();
  await page.getByRole('table', { name: 'Scans over time' }).waitFor();
}
