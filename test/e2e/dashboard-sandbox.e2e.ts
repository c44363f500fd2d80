import { launchChromium } from '@signpost/testing/chromium.ts';
import { openOwner } from '@signpost/testing/dashboard/abuse.ts';
import { findingsInSchemes } from '@signpost/testing/dashboard/axe.ts';
import { createDashboardFixture, type DashboardFixture } from '@signpost/testing/dashboard/fixture.ts';
import { go, makeCode, switchTo } from '@signpost/testing/dashboard/journey.ts';
import { layoutFaults } from '@signpost/testing/dashboard/layout.ts';
import { openPage } from '@signpost/testing/dashboard/pages.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../apps/server/src/platform/postgres/postgres.ts';

/** A folder for pictures of what is seen on the way. */
const pictures = process.env.OVERLAYS_PICTURES;

let fixture: DashboardFixture;
let browser: Browser;

beforeAll(async () => {
  [fixture, browser] = await Promise.all([
    createDashboardFixture({ DEFAULT_PLAN: 'free' }),
    launchChromium(),
  ]);
  // Without its limit of requests, which the pages of this test reach.
  await fixture.base.db.query(
    sql('test-roomy-free', `update plans set requests_per_minute = 100000 where name = 'free'`),
  );
});
afterAll(async () => {
  await browser?.close();
  await fixture?.close();
});

async function look(page: Page, what: string): Promise<void> {
  expect(await findingsInSchemes(page, what)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
  if (pictures) await page.screenshot({ path: `${pictures}/${page.viewportSize()!.width} ${what}.png` });
}

/** The menu of a code page, with its entry for test scans. */
async function openMenu(page: Page) {
  await page.getByRole('button', { name: 'More actions' }).first().click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor();
  return page.getByRole('menuitem', { name: 'Send test scans' });
}

test.each([375, 1280] as const)('a code is scanned from its menu, in test mode only: %i px', async width => {
  const { page, context } = await openOwner(browser, fixture, { width, scheme: 'light' }, 'Olive Owner');
  await openPage(page, { path: '/app/codes', heading: 'Codes' });
  await makeCode(page, `Live ${width}`, `live-${width}`);
  expect(await (await openMenu(page)).count()).toBe(0);
  await page.keyboard.press('Escape');

  await switchTo(page, 'Test');
  await makeCode(page, `Trial ${width}`, `trial-${width}`);
  await (await openMenu(page)).click();
  const dialog = page.getByRole('dialog', { name: 'Send test scans' });
  await dialog.getByLabel('Scans', { exact: true }).fill('12');
  await dialog.getByLabel('By how many visitors').fill('13');
  await dialog.getByText('At most as many as scans').waitFor();
  expect(await dialog.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
  await dialog.getByLabel('By how many visitors').fill('5');
  await look(page, 'test scans');
  await dialog.getByRole('button', { name: 'Send' }).click();
  await page.getByText(`12 test scans of “Trial ${width}” sent.`).waitFor();
  await page.getByRole('list', { name: 'Latest scans' }).getByText('iPhone and iPad').first().waitFor();

  await go(page, 'Webhooks');
  await page.getByRole('button', { name: 'New endpoint' }).first().click();
  await page.getByRole('dialog').getByLabel('Endpoint URL').fill('https://hooks.example/signpost');
  await page.getByRole('dialog').getByRole('button', { name: 'Create endpoint' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await page.getByRole('link', { name: 'https://hooks.example/signpost' }).first().click();
  await page.getByText('0 of 1,000 test deliveries used today.').waitFor();
  await look(page, 'deliveries');
  await context.close();
});
