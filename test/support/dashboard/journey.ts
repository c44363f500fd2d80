import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { waitUntil } from '../../../tools/engines/wait.ts';
import { goodPassword } from '../people.ts';
import type { Receiver } from '../receiver.ts';
import type { DashboardWorld } from './world.ts';

/** The steps of the journey, each by what a person sees and clicks. */

export async function go(page: Page, place: string): Promise<void> {
  const menu = page.getByRole('button', { name: 'Open menu' });
  if (await menu.isVisible()) await menu.click();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: place }).click();
  await page.getByRole('heading', { name: place, level: 1 }).waitFor();
}

/** Makes a key, which is shown once and works. */
export async function makeKey(page: Page, url: string): Promise<void> {
  await go(page, 'API keys');
  await page.getByRole('button', { name: 'New live key' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Online shop');
  await dialog.getByLabel('Your password').fill(goodPassword);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const key = (await dialog.getByRole('region', { name: 'API key' }).textContent())!;
  expect(key).toMatch(/^sk_live_[0-9A-Za-z]{38}$/);
  const answer = await fetch(`${url}/v1/qrcodes`, { headers: { authorization: `Bearer ${key}` } });
  expect(answer.status).toBe(200);
  await dialog.getByRole('button', { name: 'I have kept it' }).click();
  await page.getByRole('cell', { name: 'Online shop', exact: true }).waitFor();
  expect(await page.content()).not.toContain(key);
}

/** Makes a code with three fields and a look; the page then waits for its first scan. Gives the short link. */
export async function makeCode(page: Page, name: string, shortCode: string): Promise<string> {
  await go(page, 'Codes');
  await page.getByRole('link', { name: 'New code' }).first().click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Destination').fill('https://example.com/menu/spring');
  await page.getByLabel('Short code').fill(shortCode);
  await page.getByRole('radio', { name: 'Rounded' }).click();
  await page.getByRole('button', { name: 'Create code' }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
  await page.getByText('Waiting for your first scan').waitFor();
  await page.getByText('Listening', { exact: true }).waitFor();
  return (await page.getByRole('link', { name: 'open the short link' }).getAttribute('href'))!;
}

/** The first scan arrives on the open page. */
export async function watchFirstScan(page: Page, world: DashboardWorld, shortUrl: string): Promise<void> {
  expect(await world.scan(shortUrl)).toBe(302);
  const arrived = page.getByRole('list', { name: 'Scans that have just come in' });
  await arrived.getByText('iPhone and iPad').waitFor();
}

/** Changes where the code leads, and takes it back from the history. */
export async function changeAndUndo(page: Page, shortUrl: string): Promise<void> {
  const leadsTo = async () =>
    (await fetch(shortUrl, { method: 'HEAD', redirect: 'manual' })).headers.get('location');
  await page.getByLabel('Destination').fill('https://example.com/menu/summer');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('leads to example.com/menu/summer').waitFor();
  expect(await leadsTo()).toBe('https://example.com/menu/summer');
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByRole('button', { name: 'Undo, lead to https://example.com/menu/spring again' }).click();
  await page.getByText('leads to example.com/menu/spring').waitFor();
  expect(await leadsTo()).toBe('https://example.com/menu/spring');
}

/** Downloads the image in both forms. */
export async function downloadImages(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Overview' }).click();
  for (const [format, begins] of [
    ['PNG', '\x89PNG'],
    ['SVG', '<svg'],
  ] as const) {
    await page.getByRole('radiogroup', { name: 'Format' }).getByText(format).click();
    const file = await downloaded(page, () =>
      page.getByRole('button', { name: `Download ${format}` }).click(),
    );
    expect(file.startsWith(begins)).toBe(true);
  }
}

/** The figures of the code, another period, and both exports. */
export async function lookAtAnalytics(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Analytics' }).click();
  await page.getByRole('heading', { name: 'Over time' }).waitFor();
  await page.getByRole('img', { name: /Scans over time, 1 in all, by day/ }).waitFor();
  await page.getByRole('img', { name: /Map of the world/ }).waitFor();
  await page.getByRole('radiogroup', { name: 'Period' }).getByText('Today').click();
  await page.getByRole('img', { name: /Scans over time, 1 in all, by hour/ }).waitFor();
  await page.getByRole('table', { name: 'Newest scans' }).getByText('Safari').waitFor();
  const take = async (form: RegExp) => {
    await page.getByRole('button', { name: 'Export' }).click();
    return await downloaded(page, () => page.getByRole('menuitem', { name: form }).click());
  };
  const lines = (await take(/^CSV, for spreadsheets/)).trim().split('\r\n');
  expect(lines[0]).toBe('id,timestamp,country,region,city,device,browser,is_unique');
  expect(lines).toHaveLength(2);
  expect(JSON.parse(await take(/JSON/))).toMatchObject({ total: 1, data: [{ device: 'ios' }] });
  await page.getByRole('button', { name: 'How are uniques counted?' }).click();
  await page.getByRole('dialog').getByText('destroyed two days after').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** All codes together; a new scan comes in while one looks. */
export async function lookAtAccount(page: Page, world: DashboardWorld, shortUrl: string): Promise<void> {
  await go(page, 'Analytics');
  await page.getByRole('table', { name: 'Most scanned codes' }).waitFor();
  await page.getByText('Listening', { exact: true }).waitFor();
  await world.scan(shortUrl, { address: '198.51.100.20' });
  await page.getByRole('table', { name: 'Scans that have just come in' }).getByText('Safari').waitFor();
  await page.getByRole('img', { name: /Scans over time, 2 in all/ }).waitFor();
}

/** Makes an endpoint, sends a test, reads request and answer, replays; then moves it. */
export async function tryWebhook(page: Page, receiver: Receiver): Promise<void> {
  await go(page, 'Webhooks');
  await page.getByRole('button', { name: 'New endpoint' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address').fill(`${receiver.url}/hook`);
  await dialog.getByRole('button', { name: 'Create endpoint' }).click();
  expect(await dialog.getByRole('region', { name: 'signing secret' }).textContent()).toMatch(/^whsec_/);
  await dialog.getByRole('button', { name: 'I have kept it' }).click();
  await page.getByRole('link', { name: `${receiver.url}/hook` }).click();
  const before = receiver.arrivals.length;
  await page.getByRole('button', { name: 'Send test' }).click();
  const row = page
    .getByRole('table', { name: 'Deliveries' })
    .getByRole('row')
    .filter({ hasText: 'delivered' });
  await row.getByRole('button').click();
  const drawer = page.getByRole('dialog', { name: 'Delivery' });
  expect(await drawer.getByRole('region', { name: 'body of the request' }).textContent()).toContain(
    'scan.created',
  );
  await drawer.getByText('204').first().waitFor();
  await drawer.getByRole('button', { name: 'Replay' }).click();
  await waitUntil('the replay arrives', async () => receiver.arrivals.length === before + 2);
  const [first, again] = receiver.arrivals.slice(before);
  expect(again!.id).toBe(first!.id);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await dialog.getByLabel('Address').fill(`${receiver.url}/moved`);
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

/** The other world cannot be overlooked, and has none of the codes of this one, but room for the same name. */
export async function visitTestMode(
  page: Page,
  world: DashboardWorld,
  name: string,
  shortCode: string,
): Promise<void> {
  const mode = page.getByRole('radiogroup', { name: 'Live or test mode' });
  await mode.getByText('Test').click();
  await page.getByText('Test mode').first().waitFor();
  await go(page, 'Codes');
  await page.getByRole('heading', { name: 'Make your first code' }).waitFor();
  const shortUrl = await makeCode(page, name, shortCode);
  const path = new URL(shortUrl).pathname;
  expect(path).toMatch(new RegExp(`^/t/[23456789bcdfghjkmnpqrstvwxyz]{8}/${shortCode}$`));
  expect(await world.scan(shortUrl)).toBe(302);
  await go(page, 'Codes');
  await page.getByText(path, { exact: true }).first().waitFor();
  await mode.getByText('Live').click();
  await page.getByText(`/${shortCode}`, { exact: true }).first().waitFor();
}

export async function pauseAndDelete(
  page: Page,
  world: DashboardWorld,
  name: string,
  shortUrl: string,
): Promise<void> {
  await page.getByRole('link', { name }).click();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  expect(await world.scan(shortUrl)).toBe(404);
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  expect(await world.scan(shortUrl)).toBe(302);
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByRole('button', { name: 'Delete for ever' }).isDisabled()).toBe(true);
  await dialog.getByRole('textbox').fill(name);
  await dialog.getByRole('button', { name: 'Delete for ever' }).click();
  await page.getByRole('heading', { name: 'Make your first code' }).waitFor();
  expect(await world.scan(shortUrl)).toBe(410);
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
