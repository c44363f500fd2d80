import type { Language } from '@signpost/contract';
import type { Page } from 'playwright-core';
import { fillOperatorPages, makeOperator, openOwner } from './abuse.ts';
import type { Dataset } from './dataset.ts';
import { fillAccount, fillWithLongNames, longName } from './fill.ts';
import { switchTo } from './journey.ts';
import { chooseLanguage, createTranslator, inLanguage } from './languages.ts';
import { type LaidOutPage, walkLayouts } from './layout.ts';
import { openPage, signedInPages, signedOutPages } from './pages.ts';
import { openWatchedPage, type Viewport, type WatchedPage } from './viewport.ts';

/** Every page of the dashboard, as an owner, an operator and a stranger see it, in a language and several sizes. */

type Walk = (
  dataset: Dataset,
  language: Language,
  viewports: readonly Viewport[],
) => Promise<readonly string[]>;

const start: Viewport = { width: 1440, scheme: 'light' };
const longPerson = 'Wilhelmina Donaudampfschifffahrtsgesellschaft-Kapitänsmützenabzeichen';

/** The window in a language; what is looked for in it is named by its English texts. */
async function switchLanguage<Watched extends WatchedPage>(
  watched: Watched,
  { fixture }: Dataset,
  language: Language,
): Promise<Watched> {
  await chooseLanguage(watched.context, fixture.url, language);
  return { ...watched, page: inLanguage(watched.page, await createTranslator(language)) };
}

/** The faults of the layout, and one more if the pages were in another language. */
async function closeWalked(
  { page, context }: WatchedPage,
  language: Language,
  found: readonly string[],
): Promise<readonly string[]> {
  const lang = await page.locator('html').getAttribute('lang');
  await context.close();
  return [...found, ...(lang === language ? [] : [`the page was in ${lang}`])];
}

export const walkOwnerPages: Walk = async (dataset, language, viewports) => {
  const { browser, fixture, receiver } = dataset;
  const owner = await switchLanguage(await openOwner(browser, fixture, start, longPerson), dataset, language);
  const { code, webhook, design } = await fillWithLongNames(owner.page, fixture, receiver);
  const analytics = `/app/codes/${code.id}/analytics`;
  const places: readonly LaidOutPage[] = [
    ...signedInPages(code, webhook, design),
    { path: '/app/codes/import', heading: 'Import codes', what: 'with rows', prepare: pasteRows },
    { path: '/app/codes/new', heading: 'New code', what: 'with faults', prepare: submitNothing },
    { path: `${analytics}?preset=12m&country=GB`, heading: code.name },
    { path: `${analytics}?preset=90d`, heading: code.name, what: 'as a table', prepare: showTable },
    { path: '/app/codes?search=nothing', heading: 'Codes' },
  ];
  const found = await walkLayouts(owner.page, places, viewports);
  return [...(await closeWalked(owner, language, found)), ...owner.faults];
};

/** In test mode, where nothing is yet. */
export const walkEmptyPages: Walk = async (dataset, language, viewports) => {
  const { browser, fixture, receiver } = dataset;
  const owner = await switchLanguage(await openOwner(browser, fixture, start, longPerson), dataset, language);
  const { code, webhook, design } = await fillAccount(owner.page, fixture, receiver);
  await openPage(owner.page, { path: '/app/codes', heading: 'Codes' });
  await switchTo(owner.page, 'Test');
  const places = signedInPages(code, webhook, design).filter(
    ({ path }) => !/qr_|whk_|dsn_|import|new|account/.test(path),
  );
  return await closeWalked(owner, language, await walkLayouts(owner.page, places, viewports));
};

/** Those of operators, and a suspended code of an owner. */
export const walkOperatorPages: Walk = async (dataset, language, viewports) => {
  const { browser, fixture } = dataset;
  const open = async (name: string) =>
    await switchLanguage(await openOwner(browser, fixture, start, name), dataset, language);
  const [operator, owner] = [await open(longPerson), await open(longName)];
  await makeOperator(fixture, operator.person);
  const { pages, stopped } = await fillOperatorPages(operator.page.request, fixture, owner);
  const suspended = { path: `/app/codes/${stopped.id}`, heading: stopped.name };
  return [
    ...(await closeWalked(operator, language, await walkLayouts(operator.page, pages, viewports))),
    ...(await closeWalked(owner, language, await walkLayouts(owner.page, [suspended], viewports))),
  ];
};

export const walkPagesOutside: Walk = async (dataset, language, viewports) => {
  const stranger = await switchLanguage(
    await openWatchedPage(dataset.browser, dataset.fixture.url, start),
    dataset,
    language,
  );
  const places: readonly LaidOutPage[] = [
    // By now there is an operator, so nobody sets the server up.
    ...signedOutPages.filter(({ path }) => path !== '/app/first-operator'),
    { path: '/app/nowhere', heading: 'Page not found' },
    { path: '/app/sign-up', heading: 'Create an account', what: 'with faults', prepare: submitSignUp },
  ];
  return await closeWalked(stranger, language, await walkLayouts(stranger.page, places, viewports));
};

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
