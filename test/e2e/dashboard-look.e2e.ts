import { openOwner } from '@signpost/testing/dashboard/abuse.ts';
import { loadDataset } from '@signpost/testing/dashboard/dataset.ts';
import { fillAccount } from '@signpost/testing/dashboard/fill.ts';
import { switchTo } from '@signpost/testing/dashboard/journey.ts';
import { makeManyCodes } from '@signpost/testing/dashboard/many-codes.ts';
import { openPage } from '@signpost/testing/dashboard/pages.ts';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sql } from '../../apps/server/src/platform/postgres/postgres.ts';

/** What people see and where the focus is: with forced colours, by keys, with many codes. */

const onStage = loadDataset();
const wide = { width: 1440, scheme: 'light' } as const;
const codes = { path: '/app/codes', heading: 'Codes' };

/** The colours of what is chosen and of what is not, as they are painted. */
const colorsOf = async (page: Page, chosen: string, other: string) =>
  (await page.evaluate(
    `[${JSON.stringify(chosen)}, ${JSON.stringify(other)}].map(selector => {
      const { backgroundColor, color } = getComputedStyle(document.querySelector(selector));
      return backgroundColor + ' ' + color;
    })`,
  )) as readonly [string, string];

test('with forced colours, the chosen page, tab, period, mode and row differ from the others', async () => {
  const { browser, fixture, receiver } = onStage();
  const { page, context } = await openOwner(browser, fixture, wide, 'Olive Owner');
  const { code } = await fillAccount(page, fixture, receiver);
  await fillAccount(page, fixture, receiver);
  await page.emulateMedia({ forcedColors: 'active' });
  const chosen: string[] = [];
  const differs = async (what: string, selector: string, other: string) => {
    const [one, two] = await colorsOf(page, selector, other);
    expect(one, what).not.toBe(two);
    chosen.push(one);
  };
  await openPage(page, codes);
  await differs(
    'page',
    'nav .mantine-NavLink-root[data-active]',
    'nav .mantine-NavLink-root:not([data-active])',
  );
  const labels = '.mantine-SegmentedControl-label';
  await differs('mode', `nav ${labels}[data-active]`, `nav ${labels}:not([data-active])`);
  await page
    .getByRole('checkbox', { name: /^Select Spring menu/ })
    .first()
    .check();
  await differs('row', 'tbody tr[data-chosen]', 'tbody tr:not([data-chosen])');
  await openPage(page, { path: `/app/codes/${code.id}`, heading: code.name });
  await differs('tab', '[role=tab][data-active]', '[role=tab]:not([data-active])');
  await openPage(page, { path: `/app/codes/${code.id}/analytics`, heading: code.name });
  await differs('period', `main ${labels}[data-active]`, `main ${labels}:not([data-active])`);
  // The system's own colours for what is chosen, and not a tint that it has taken away.
  expect(new Set(chosen).size).toBe(1);
  await context.close();
});

test('after C, the name of the new code has the focus', async () => {
  const { browser, fixture } = onStage();
  const { page, context } = await openOwner(browser, fixture, wide, 'Olive Owner');
  await openPage(page, codes);
  await page.keyboard.press('c');
  await page.getByRole('heading', { name: 'New code', level: 1 }).waitFor();
  await page.getByLabel('Name').waitFor();
  await page.waitForFunction(`document.activeElement?.matches('input[placeholder="Spring menu"]')`);
  await page.keyboard.type('Winter menu');
  expect(await page.getByLabel('Name').inputValue()).toBe('Winter menu');
  await context.close();
});

test('more codes than an address holds are handed to the page that prints them', async () => {
  const { browser, fixture } = onStage();
  const { page, context } = await openOwner(browser, fixture, wide, 'Olive Owner');
  // Nobody makes so many by hand in a minute.
  await fixture.base.db.query(
    sql('no-creation-limit', `update plans set creations_per_minute = null where name = 'business'`),
  );
  await openPage(page, codes);
  await switchTo(page, 'Test');
  await makeManyCodes(page, fixture.url, 1, 500);
  await openPage(page, codes);
  await page.getByRole('checkbox', { name: 'Select all codes on this page' }).check();
  await page.getByRole('button', { name: 'Select all 500' }).click();
  await page.getByText('500 selected').waitFor();
  await page.getByRole('button', { name: 'More actions for the selected codes' }).click();
  await page.getByRole('menuitem', { name: 'Print labels' }).click();
  await page.getByText('500 codes chosen.').waitFor();
  expect(new URL(page.url()).search).toBe('');
  await page.reload();
  await page.getByText('500 codes chosen.').waitFor();
  await context.close();
});
