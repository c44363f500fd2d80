import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { waitUntil } from '../engines/wait.ts';
import { goodPassword } from '../people.ts';
import type { Receiver } from '../receiver.ts';
import type { DashboardFixture } from './fixture.ts';

/** The steps of the journey, by what a person sees and clicks. */

/** By the navigation, in which a page has the name of its heading. */
export async function go(page: Page, title: string, heading = title): Promise<void> {
  await openMenu(page);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: title }).first().click();
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
}

/** To live or test mode, by the switch in the navigation. */
export async function switchTo(page: Page, mode: 'Live' | 'Test'): Promise<void> {
  await openMenu(page);
  await page.getByRole('radiogroup', { name: 'Live or test mode' }).getByText(mode).click();
}

/** On a phone the navigation is behind a button. */
async function openMenu(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' });
  const menu = page.getByRole('button', { name: 'Open menu' });
  if (await menu.isVisible()) await menu.click();
}

/** The badge that says that new scans appear by themselves. */
const liveBadge = (page: Page) => page.getByRole('status').filter({ hasText: /^Live$/ });

/** Creates a key, which is shown once and works. */
export async function makeKey(page: Page, url: string): Promise<void> {
  await go(page, 'API keys');
  await page.getByRole('button', { name: 'New live key' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Online shop');
  await dialog.getByLabel('Current password').fill(goodPassword);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const key = (await dialog.getByRole('region', { name: 'API key' }).textContent())!;
  expect(key).toMatch(/^sk_live_[0-9A-Za-z]{38}$/);
  const answer = await fetch(`${url}/v1/qrcodes`, { headers: { authorization: `Bearer ${key}` } });
  expect(answer.status).toBe(200);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('cell', { name: 'Online shop', exact: true }).waitFor();
  expect(await page.content()).not.toContain(key);
}

/** Creates a code with three fields and a style; the page then waits for its first scan. Returns the short link. */
export async function makeCode(page: Page, name: string, shortCode: string): Promise<string> {
  await go(page, 'Codes');
  await page.getByRole('link', { name: 'New code' }).first().click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Destination').fill('https://example.com/menu/spring');
  await page.getByLabel('Custom link ending').fill(shortCode);
  await page.getByRole('radio', { name: 'Rounded' }).click();
  await page.getByRole('button', { name: 'Create code' }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
  await page.getByText('Waiting for your first scan').waitFor();
  await liveBadge(page).waitFor();
  return (await page.getByRole('link', { name: 'open the short link' }).getAttribute('href'))!;
}

/** The first scan arrives on the open page. */
export async function watchFirstScan(page: Page, fixture: DashboardFixture, shortUrl: string): Promise<void> {
  expect(await fixture.scan(shortUrl)).toBe(302);
  const arrived = page.getByRole('list', { name: 'Latest scans' });
  await arrived.getByText('iPhone and iPad').waitFor();
}

/** Changes the destination, undoes it at once, changes it again, and restores the old one from the history. */
export async function changeAndUndo(page: Page, shortUrl: string): Promise<void> {
  const leadsTo = async () =>
    (await fetch(shortUrl, { method: 'HEAD', redirect: 'manual' })).headers.get('location');
  const change = async () => {
    await page.getByLabel('Destination').fill('https://example.com/menu/summer');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('→ example.com/menu/summer').waitFor();
    expect(await leadsTo()).toBe('https://example.com/menu/summer');
  };
  await change();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('→ example.com/menu/spring').waitFor();
  expect(await leadsTo()).toBe('https://example.com/menu/spring');
  await change();
  await page.getByRole('tab', { name: 'History' }).click();
  await page
    .getByRole('button', { name: 'Restore this destination: https://example.com/menu/spring' })
    .first()
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await page.getByText('→ example.com/menu/spring').waitFor();
  expect(await leadsTo()).toBe('https://example.com/menu/spring');
}

/** Downloads the image in both formats. */
export async function downloadImages(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Overview' }).click();
  for (const [format, prefix] of [
    ['PNG', '\x89PNG'],
    ['SVG', '<svg'],
  ] as const) {
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radiogroup', { name: 'Format' }).getByText(format).click();
    const file = await downloaded(page, () =>
      dialog.getByRole('button', { name: `Download ${format}` }).click(),
    );
    await dialog.waitFor({ state: 'detached' });
    expect(file.startsWith(prefix)).toBe(true);
  }
}

/** The figures of the code, another period, and both exports. */
export async function lookAtAnalytics(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Analytics' }).click();
  await page.getByRole('heading', { name: 'Scans over time' }).waitFor();
  await page.getByRole('img', { name: /Scans over time, 1 in all, by day/ }).waitFor();
  await page.getByRole('group', { name: /Map of the world/ }).waitFor();
  // A phone has a list in place of the row of periods.
  const periods = page.getByRole('combobox', { name: 'Period' });
  if (await periods.isVisible()) await periods.selectOption('Today');
  else await page.getByRole('radiogroup', { name: 'Period' }).getByText('Today').click();
  await page.getByRole('img', { name: /Scans over time, 1 in all, by hour/ }).waitFor();
  await page.getByRole('table', { name: 'Recent scans' }).getByText('Safari').waitFor();
  const take = async (form: RegExp) => {
    await page.getByRole('button', { name: 'Export' }).click();
    return await downloaded(page, () => page.getByRole('menuitem', { name: form }).click());
  };
  const lines = (await take(/^CSV, for spreadsheets/)).trim().split('\r\n');
  expect(lines[0]).toBe(
    'id,timestamp,country,region,city,device,browser,is_unique,language,target_id,rule_id,placement',
  );
  expect(lines).toHaveLength(2);
  expect(JSON.parse(await take(/JSON/))).toMatchObject({ total: 1, data: [{ device: 'ios' }] });
  await page.getByRole('button', { name: 'How are unique visitors counted?' }).click();
  await page.getByRole('dialog').getByText('destroyed two days later').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** The analytics of all codes; a new scan arrives while the page is open. */
export async function lookAtAccount(page: Page, fixture: DashboardFixture, shortUrl: string): Promise<void> {
  await go(page, 'Analytics');
  await page.getByRole('table', { name: 'Most scanned codes' }).waitFor();
  await liveBadge(page).waitFor();
  await fixture.scan(shortUrl, { address: '198.51.100.20' });
  await page.getByRole('table', { name: 'New since you opened this page' }).getByText('Safari').waitFor();
  await page.getByRole('img', { name: /Scans over time, 2 in all/ }).waitFor();
}

/** Makes an endpoint, sends a test, reads request and answer, replays; then moves it. */
export async function tryWebhook(page: Page, receiver: Receiver): Promise<void> {
  await go(page, 'Webhooks');
  await page.getByRole('button', { name: 'New endpoint' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Endpoint URL').fill(`${receiver.url}/hook`);
  await dialog.getByRole('button', { name: 'Create endpoint' }).click();
  expect(await dialog.getByRole('region', { name: 'signing secret' }).textContent()).toMatch(/^whsec_/);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('link', { name: `${receiver.url}/hook` }).click();
  const before = receiver.arrivals.length;
  await page.getByRole('button', { name: 'Send test' }).click();
  const row = page
    .getByRole('table', { name: 'Deliveries' })
    .getByRole('row')
    .filter({ hasText: 'delivered' });
  await row.getByRole('button').click();
  const drawer = page.getByRole('dialog', { name: 'Delivery' });
  expect(await drawer.getByRole('region', { name: 'request body' }).textContent()).toContain('scan.created');
  await drawer.getByText('204 No Content').first().waitFor();
  await drawer.getByRole('button', { name: 'Send again' }).click();
  await waitUntil('the replay arrives', async () => receiver.arrivals.length === before + 2);
  const [first, replayed] = receiver.arrivals.slice(before);
  expect(replayed!.id).toBe(first!.id);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await dialog.getByLabel('Endpoint URL').fill(`${receiver.url}/moved`);
  await dialog.getByRole('checkbox', { name: 'Codes suspended' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: `${receiver.url}/moved` }).waitFor();
  await page.getByText('Sends: Scans, Codes suspended').waitFor();
  await page.getByRole('button', { name: 'Send test' }).click();
  await waitUntil(
    'the test arrives at the new address',
    async () => receiver.arrivals.at(-1)?.path === '/moved',
  );
}

/** Test mode is clearly marked, has none of the live codes, and allows the same short code. */
export async function visitTestMode(
  page: Page,
  fixture: DashboardFixture,
  name: string,
  shortCode: string,
): Promise<void> {
  await switchTo(page, 'Test');
  await page.getByText('Test mode').first().waitFor();
  await go(page, 'Codes');
  await page.getByRole('heading', { name: 'Create your first code' }).waitFor();
  const shortUrl = await makeCode(page, name, shortCode);
  const path = new URL(shortUrl).pathname;
  expect(path).toMatch(new RegExp(`^/t/[23456789bcdfghjkmnpqrstvwxyz]{8}/${shortCode}$`));
  expect(await fixture.scan(shortUrl)).toBe(302);
  await go(page, 'Codes');
  await page.getByText(path, { exact: true }).first().waitFor();
  await switchTo(page, 'Live');
  await page.getByText(`/${shortCode}`, { exact: true }).first().waitFor();
}

export async function pauseAndDelete(
  page: Page,
  fixture: DashboardFixture,
  name: string,
  shortUrl: string,
): Promise<void> {
  const choose = async (action: string) => {
    await page.getByRole('button', { name: 'More actions', exact: true }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  await page.getByRole('link', { name }).click();
  await choose('Pause');
  await page.getByText('Code paused.').waitFor();
  expect(await fixture.scan(shortUrl)).toBe(404);
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('Code resumed.').waitFor();
  expect(await fixture.scan(shortUrl)).toBe(302);
  await choose('Delete');
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByRole('button', { name: 'Delete permanently' }).isDisabled()).toBe(true);
  await dialog.getByRole('textbox').fill(name);
  await dialog.getByRole('button', { name: 'Delete permanently' }).click();
  await page.getByRole('heading', { name: 'Create your first code' }).waitFor();
  expect(await fixture.scan(shortUrl)).toBe(410);
}

/** A sheet of labels with every code. */
export async function printSheet(page: Page): Promise<void> {
  await go(page, 'Print');
  const file = await downloaded(page, () => page.getByRole('button', { name: 'Download PDF' }).click());
  expect(file.startsWith('%PDF')).toBe(true);
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.goto('/app/codes');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}

async function downloaded(page: Page, click: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  return await readFile(await download.path(), 'latin1');
}
