import { launchChromium } from '@signpost/testing/chromium.ts';
import { createCodeFor, type Owner, openOwner } from '@signpost/testing/dashboard/abuse.ts';
import { seriousFindings } from '@signpost/testing/dashboard/axe.ts';
import { createDashboardFixture, type DashboardFixture } from '@signpost/testing/dashboard/fixture.ts';
import { openPage } from '@signpost/testing/dashboard/pages.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startPostgres } from '@signpost/testing/engines/postgres.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** PostgreSQL goes away while somebody works in the dashboard, and comes back. */

let postgres: Engine;
let fixture: DashboardFixture;
let browser: Browser;
let owner: Owner;
let code: { readonly id: string; readonly name: string; readonly short_url: string };
const exceptions: string[] = [];

beforeAll(async () => {
  [postgres, browser] = await Promise.all([startPostgres(), launchChromium()]);
  fixture = await createDashboardFixture({ REQUIRE_VERIFIED_EMAIL: 'off' }, postgres.url);
  owner = await openOwner(browser, fixture, { width: 1440, scheme: 'light' }, 'Stella States');
  code = await createCodeFor(owner, fixture, 'Shopwindow');
});

afterAll(async () => {
  await browser?.close();
  if (postgres && !postgres.running) await postgres.start();
  await fixture?.close();
  await postgres?.remove();
});

/** Another tab of the same browser, whose exceptions are watched too. */
async function openTab(path: string, heading: string): Promise<Page> {
  const page = await owner.context.newPage();
  page.on('pageerror', error => exceptions.push(error.message));
  page.on('dialog', dialog => void dialog.accept());
  await openPage(page, { path, heading });
  return page;
}

const leadsTo = async () =>
  (await fetch(code.short_url, { method: 'HEAD', redirect: 'manual' })).headers.get('location');
const databaseProblem = (page: Page) =>
  page.getByRole('alert').filter({ hasText: 'The server can’t reach its database' });
const destination = 'https://example.com/menu/summer';

test('a database that is away is said, what was typed stays, and Retry works once it is back', async () => {
  const editing = await openTab(`/app/codes/${code.id}`, code.name);
  const creating = await openTab('/app/codes/new', 'New code');
  const importing = await openTab('/app/codes/import', 'Import codes');
  const looking = await openTab('/app/codes', 'Codes');
  const reloading = await openTab('/app/codes', 'Codes');
  const profile = await openTab('/app/settings/account', 'Profile & security');
  await importing.getByLabel('Or paste rows from a spreadsheet').fill('Menu\thttps://example.com/menu');
  await importing.getByRole('button', { name: 'Check these rows' }).click();
  const before = await leadsTo();

  await postgres.stop();

  // Scans go on, and an edit is not saved.
  expect(await leadsTo()).toBe(before);
  await editing.getByLabel('Destination').fill(destination);
  await editing.getByRole('button', { name: 'Save' }).click();
  const toast = editing.getByRole('alert').filter({ hasText: 'Not saved' });
  await toast.getByText('The server can’t reach its database. Your change is still here.').waitFor();
  expect(await seriousFindings(editing)).toEqual([]);
  expect(await editing.getByLabel('Destination').inputValue()).toBe(destination);
  await Promise.all([
    editing.waitForResponse(response => response.request().method() === 'PATCH'),
    toast.getByRole('button', { name: 'Retry' }).click(),
  ]);
  await toast.waitFor();
  expect(await leadsTo()).toBe(before);

  // A new code, an import and a name keep what was typed.
  await creating.getByLabel('Name').fill('Autumn menu');
  await creating.getByLabel('Destination').fill('https://example.com/menu/autumn');
  await creating.getByRole('button', { name: 'Create code' }).click();
  await databaseProblem(creating).waitFor();
  await importing.getByRole('button', { name: 'Create 1 code' }).click();
  await importing.getByText('The import was interrupted').waitFor();
  await profile.getByLabel('Name').fill('Stella Stays');
  await profile.getByRole('button', { name: 'Save name' }).click();
  await profile
    .getByRole('alert')
    .filter({ hasText: 'Your name was not changed' })
    .getByText('The server can’t reach its database.')
    .waitFor();

  // Pages that are opened now say so, within the frame; a reload has no frame yet, and nobody is signed out.
  for (const [link, heading] of pages) {
    await looking.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: link }).click();
    await databaseProblem(looking).first().waitFor();
    await looking.getByRole('navigation', { name: 'Main' }).waitFor();
    expect(await looking.getByRole('heading', { name: 'Sign in' }).count(), heading).toBe(0);
  }
  await reloading.reload();
  await databaseProblem(reloading).waitFor();
  expect(await seriousFindings(reloading)).toEqual([]);
  await reloading.getByRole('button', { name: 'Try again' }).click();
  await databaseProblem(reloading).waitFor();

  await postgres.start();

  await toast.getByRole('button', { name: 'Retry' }).click();
  await editing.getByText('→ example.com/menu/summer').waitFor();
  expect(await leadsTo()).toBe(destination);
  await toast.waitFor({ state: 'detached' });
  expect(await creating.getByLabel('Name').inputValue()).toBe('Autumn menu');
  await databaseProblem(creating).getByRole('button', { name: 'Try again' }).click();
  await creating.getByRole('heading', { name: 'Autumn menu', level: 1 }).waitFor();
  await importing.getByRole('button', { name: 'Retry' }).click();
  await importing.getByRole('heading', { name: '1 code created' }).waitFor();
  await profile.getByRole('button', { name: 'Retry' }).click();
  await profile.getByText('Name saved.').waitFor();
  await reloading.getByRole('button', { name: 'Try again' }).click();
  await reloading.getByRole('link', { name: 'Autumn menu' }).first().waitFor();
  const [, lastHeading] = pages.at(-1)!;
  await databaseProblem(looking).first().getByRole('button', { name: 'Try again' }).click();
  await looking.getByRole('heading', { name: lastHeading, level: 1 }).waitFor();
  await databaseProblem(looking).waitFor({ state: 'detached' });
  expect(exceptions).toEqual([]);
});

/** By their links in the navigation. */
const pages = [
  ['Analytics', 'Analytics'],
  ['API keys', 'API keys'],
  ['Webhooks', 'Webhooks'],
] as const;
