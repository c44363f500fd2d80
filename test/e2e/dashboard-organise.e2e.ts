import { readFile } from 'node:fs/promises';
import { isFullSize } from '@signpost/testing/ci-scale.ts';
import { callAs } from '@signpost/testing/dashboard/abuse.ts';
import { seriousFindings } from '@signpost/testing/dashboard/axe.ts';
import { loadDataset } from '@signpost/testing/dashboard/dataset.ts';
import { openPage } from '@signpost/testing/dashboard/pages.ts';
import { signUpByForm } from '@signpost/testing/dashboard/people.ts';
import { openWatchedPage, viewportName } from '@signpost/testing/dashboard/viewport.ts';
import { parseStrictCsv } from '@signpost/testing/strict-csv.ts';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

const onStage = loadDataset();
const viewports = [
  { width: 1280, scheme: 'light' },
  { width: 375, scheme: 'dark' },
] as const;

const codesPage = { path: '/app/codes', heading: 'Codes' };

/** A person with forty codes: every second has the tag Menu, every fifth is a draft, and all lead to one old host. */
async function openFilled(viewport: (typeof viewports)[number]) {
  const { fixture, browser } = onStage();
  const watched = await openWatchedPage(browser, fixture.url, viewport);
  const { page } = watched;
  await signUpByForm(page);
  const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, data?: object) =>
    callAs(page.request, fixture.url, method, path, data);
  const items = Array.from({ length: 40 }, (_, n) => ({
    name: `Table ${n}`,
    destination_url: `https://old.example/order?table=${n}`,
    tags: n % 2 === 0 ? ['Menu'] : ['Poster'],
    ...(n % 5 === 0 ? { status: 'draft' } : {}),
  }));
  const made = await call('POST', '/account/v1/qrcodes/bulk', { items });
  const codes = made.data.map((item: { qr_code: unknown }) => item.qr_code) as {
    readonly id: string;
    readonly short_url: string;
  }[];
  await openPage(page, codesPage);
  return { ...watched, call, codes };
}

const dialog = (page: Page): Locator => page.getByRole('dialog');
const bar = (page: Page): Locator => page.getByRole('region', { name: 'Selected codes' });
const choose = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check();
const openAction = async (page: Page, name: string) => {
  await bar(page).getByRole('button', { name: 'More actions for the selected codes' }).click();
  await page.getByRole('menuitem', { name }).click();
};

/** In CI a desk, as dashboard-rules has a phone. */
const taken = viewports.filter(({ width }) => isFullSize || width === 1280);

describe.each(taken.map(viewport => [viewportName(viewport), viewport] as const))('%s', (_, viewport) => {
  test('an owner narrows the list, and keeps the view in the navigation', async () => {
    const { page, context, faults } = await openFilled(viewport);
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByLabel('Tags', { exact: true }).and(page.locator('input')).click();
    await page.getByRole('option', { name: 'Menu' }).click();
    await page.getByLabel('Destination host').fill('https://OLD.example/anything');
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show codes' }).click();
    await page.getByText('20 codes').waitFor();
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Draft' }).click();
    await page.getByText('4 codes').waitFor();
    expect(new URL(page.url()).search).toContain('destination_host=old.example');

    await page.getByRole('button', { name: 'Save view' }).click();
    await dialog(page).getByLabel('Name').fill('Menu drafts');
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Actions for the view Menu drafts' }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);

    await page.getByRole('button', { name: 'Remove filter: Menu' }).click();
    await page.getByText('8 codes').waitFor();
    // The view is where it was, after a reload too.
    await page.reload();
    await page.getByText('8 codes').waitFor();
    if (viewport.width === 375) await page.getByRole('button', { name: 'Open menu' }).click();
    const view = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Menu drafts' });
    await view.click();
    await page.getByText('4 codes').waitFor();
    await page.getByRole('button', { name: 'Actions for the view Menu drafts' }).click();
    await page.getByRole('menuitem', { name: 'Delete view' }).click();
    await page.getByRole('button', { name: 'Save view' }).waitFor();
    await view.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
    await context.close();
  });

  test('an owner tags, moves and deletes many codes, and sees before what would change', async () => {
    const { page, context, call, codes, faults } = await openFilled(viewport);
    const leadsTo = async (at: number) =>
      (await fetch(codes[at]!.short_url, { method: 'HEAD', redirect: 'manual' })).headers.get('location');
    for (const name of ['Table 39', 'Table 38']) await choose(page, name);
    await bar(page).getByText('2 selected').waitFor();
    await bar(page).getByRole('button', { name: 'Tags', exact: true }).click();
    await dialog(page).getByRole('combobox', { name: 'Add' }).fill('Window');
    await page.keyboard.press('Enter');
    await dialog(page).getByRole('combobox', { name: 'Remove' }).fill('Poster');
    await page.keyboard.press('Enter');
    expect(await seriousFindings(page)).toEqual([]);
    await dialog(page).getByRole('button', { name: 'Change 2 codes' }).click();
    await page.getByText('2 codes changed.').first().waitFor();
    expect((await call('GET', `/account/v1/qrcodes/${codes[39]!.id}`)).tags).toEqual(['Window']);
    expect((await call('GET', `/account/v1/qrcodes/${codes[38]!.id}`)).tags).toEqual(['Menu', 'Window']);

    // Drafts cannot be paused; the others are, and those are named.
    await choose(page, 'Table 39');
    await bar(page).getByRole('button', { name: 'Select all 40' }).click();
    await bar(page).getByText('40 selected').waitFor();
    await bar(page).getByRole('button', { name: 'Pause' }).click();
    await dialog(page).getByRole('button', { name: 'Pause 40 codes' }).click();
    await dialog(page).getByText('8 codes stay as they were').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await dialog(page).getByRole('button', { name: 'Close' }).last().click();

    await page.getByRole('checkbox', { name: 'Select Table 39', exact: true }).check();
    await bar(page).getByRole('button', { name: 'Select all 40' }).click();
    await bar(page).getByText('40 selected').waitFor();
    await openAction(page, 'Resume');
    await dialog(page).getByRole('button', { name: 'Resume 40 codes' }).click();
    await page.getByText('40 codes changed.').first().waitFor();
    expect(await leadsTo(0)).toBe('https://old.example/order?table=0');

    await choose(page, 'Table 39');
    await bar(page).getByRole('button', { name: 'Select all 40' }).click();
    await bar(page).getByText('40 selected').waitFor();
    await openAction(page, 'Find and replace in destinations');
    await dialog(page).getByLabel('Find', { exact: true }).fill('table=1');
    await dialog(page).getByLabel('Replace with').fill('seat=1');
    await dialog(page).getByRole('button', { name: 'Preview' }).click();
    // Table 1 and those from 10 to 19.
    await dialog(page).getByText('11 destinations of 40 would change.').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(await leadsTo(1)).toBe('https://old.example/order?table=1');
    await dialog(page).getByRole('button', { name: 'Change 11 destinations' }).click();
    await page.getByText('11 codes changed.').first().waitFor();
    expect(await leadsTo(1)).toBe('https://old.example/order?seat=1');
    expect(await leadsTo(2)).toBe('https://old.example/order?table=2');

    // A code that is deleted elsewhere meanwhile: nothing is deleted, and it is said.
    for (const name of ['Table 39', 'Table 37']) await choose(page, name);
    await openAction(page, 'Delete');
    await dialog(page).getByLabel('Type 2 to confirm').fill('2');
    await call('DELETE', `/account/v1/qrcodes/${codes[39]!.id}`);
    await dialog(page).getByRole('button', { name: 'Delete 2 codes' }).click();
    await dialog(page).getByText('The codes were not deleted').waitFor();
    await dialog(page).getByRole('button', { name: 'Close' }).last().click();
    expect((await call('GET', '/account/qrcodes?limit=1')).pagination.total).toBe(39);
    for (const name of ['Table 37', 'Table 36']) await choose(page, name);
    await openAction(page, 'Delete');
    expect(await dialog(page).getByRole('button', { name: 'Delete 2 codes' }).isDisabled()).toBe(true);
    await dialog(page).getByLabel('Type 2 to confirm').fill('2');
    await dialog(page).getByRole('button', { name: 'Delete 2 codes' }).click();
    await page.getByText('2 codes deleted.').first().waitFor();
    expect((await call('GET', '/account/qrcodes?limit=1')).pagination.total).toBe(37);
    expect(faults.filter(fault => !fault.includes('409'))).toEqual([]);
    await context.close();
  });

  test('an owner renames, recolours, merges and deletes tags', async () => {
    const { page, context, call, faults } = await openFilled(viewport);
    await openPage(page, { path: '/app/tags', heading: 'Tags' });
    await page.getByRole('button', { name: 'More actions for Menu' }).click();
    await page.getByRole('menuitem', { name: 'Rename or recolour' }).click();
    await dialog(page).getByLabel('Name').fill('Menus');
    await dialog(page).getByRole('radio', { name: 'Green' }).check();
    expect(await seriousFindings(page)).toEqual([]);
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Show 20 codes tagged Menus' }).waitFor();

    await page.getByRole('button', { name: 'More actions for Menus' }).click();
    await page.getByRole('menuitem', { name: 'Rename or recolour' }).click();
    await dialog(page).getByLabel('Name').fill('poster');
    await dialog(page).getByText('You already have “Poster”, with 20 codes.').waitFor();
    await dialog(page).getByRole('button', { name: 'Merge into Poster' }).click();
    await page.getByRole('link', { name: 'Show 40 codes tagged Poster' }).waitFor();
    expect((await call('GET', '/account/v1/tags')).data).toEqual([
      { name: 'Poster', color: 'gray', qr_codes: 40 },
    ]);
    expect(await seriousFindings(page)).toEqual([]);

    if (viewport.width === 375) {
      await page.getByRole('button', { name: 'More actions for Poster' }).click();
      await page.getByRole('menuitem', { name: 'Analytics' }).click();
    } else await page.getByRole('link', { name: 'Analytics of Poster' }).click();
    await page.getByRole('button', { name: 'Remove filter Tag: Poster' }).waitFor();
    await openPage(page, { path: '/app/tags', heading: 'Tags' });
    await page.getByRole('button', { name: 'More actions for Poster' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await dialog(page).getByText('It is removed from 40 codes.').waitFor();
    await dialog(page).getByRole('button', { name: 'Delete tag' }).click();
    await page.getByRole('heading', { name: 'No tags yet' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('an owner organises one code, takes it back, and exports the list', async () => {
    const { page, context, call, codes, faults } = await openFilled(viewport);
    const [code] = codes;
    const read = () => call('GET', `/account/v1/qrcodes/${code!.id}`);
    await openPage(page, { path: `/app/codes/${code!.id}`, heading: 'Table 0' });
    const panel = page.getByRole('region', { name: 'Organise' });
    await panel.getByRole('combobox', { name: 'Tags' }).fill('MENU');
    await page.keyboard.press('Enter');
    await panel.getByRole('combobox', { name: 'Tags' }).fill('Terrace');
    await page.keyboard.press('Enter');
    await panel.getByLabel('Note').fill('By the door');
    await panel.getByRole('button', { name: 'For developers' }).click();
    await panel.getByLabel('External ID').fill('table-0');
    await panel.getByRole('button', { name: 'Add metadata' }).click();
    await panel.getByLabel('Metadata name 1').fill('a b');
    await panel.getByLabel('Metadata value 1').fill('=1+1');
    await panel.getByRole('button', { name: 'Save' }).click();
    await panel.getByText('Use 1 to 40 letters, digits, _ . or -').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await panel.getByLabel('Metadata name 1').fill('floor');
    await panel.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Changes saved.').waitFor();
    expect(await read()).toMatchObject({
      tags: ['Menu', 'Terrace'],
      note: 'By the door',
      external_id: 'table-0',
      metadata: { floor: '=1+1' },
    });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Change undone.').waitFor();
    expect(await read()).toMatchObject({ tags: ['Menu'], note: null, external_id: null, metadata: {} });

    await call('PATCH', `/account/v1/qrcodes/${code!.id}`, { metadata: { floor: '=1+1' }, note: '=cmd' });
    await openPage(page, { path: '/app/codes?search=table+0', heading: 'Codes' });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export these codes as CSV' }).click(),
    ]);
    const [head, ...rows] = parseStrictCsv((await readFile(await download.path(), 'utf8')).slice(1));
    expect(rows).toHaveLength(1);
    const row = Object.fromEntries(rows[0]!.map((cell, at) => [head![at], cell]));
    expect(row).toMatchObject({ name: 'Table 0', tags: 'Menu', note: "'=cmd", metadata: '{"floor":"=1+1"}' });
    expect(faults).toEqual([]);
    await context.close();
  });
});
