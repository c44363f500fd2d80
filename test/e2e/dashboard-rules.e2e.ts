import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { callAs } from '@signpost/testing/dashboard/abuse.ts';
import { seriousFindings } from '@signpost/testing/dashboard/axe.ts';
import { loadDataset } from '@signpost/testing/dashboard/dataset.ts';
import { signUpByForm } from '@signpost/testing/dashboard/people.ts';
import { openWatchedPage, viewportName } from '@signpost/testing/dashboard/viewport.ts';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

const onStage = loadDataset();
const viewports = [
  { width: 1280, scheme: 'light' },
  { width: 375, scheme: 'dark' },
] as const;

const site = 'https://menu.example';

/** The rules of a new code that leads to the evening menu. */
async function openRules(viewport: (typeof viewports)[number]) {
  const { fixture, browser } = onStage();
  const watched = await openWatchedPage(browser, fixture.url, viewport);
  const { page } = watched;
  await signUpByForm(page);
  const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, data?: object) =>
    callAs(page.request, fixture.url, method, path, data);
  const body = { name: 'Menu', destination_url: `${site}/evening` };
  const code = (await call('POST', '/account/v1/qrcodes', body)) as { id: string; short_url: string };
  await page.goto(`${fixture.url}/app/codes/${code.id}/rules`);
  await page.getByRole('button', { name: 'Add rule' }).waitFor();
  return { ...watched, call, code };
}

const card = (page: Page, number: number): Locator =>
  page.getByRole('listitem', { name: new RegExp(`^Rule ${number}:`) });
const addRule = async (page: Page, template: string) => {
  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.getByRole('menuitem', { name: template }).click();
};
describe.each(viewports.map(viewport => [viewportName(viewport), viewport] as const))('%s', (_, viewport) => {
  test('an owner makes rules from templates, orders them by keyboard, tries and saves them', async () => {
    const { page, context, faults, call, code } = await openRules(viewport);
    await addRule(page, 'App stores');
    await card(page, 1).getByRole('textbox', { name: 'Destination 1', exact: true }).fill(`${site}/ios`);
    await card(page, 2).getByRole('textbox', { name: 'Destination 1', exact: true }).fill(`${site}/android`);
    await addRule(page, 'Split 50/50');
    await card(page, 3).getByRole('textbox', { name: 'Destination 1', exact: true }).fill(`${site}/a`);
    await card(page, 3).getByRole('textbox', { name: 'Destination 2', exact: true }).fill(`${site}/b`);
    expect(await seriousFindings(page)).toEqual([]);
    // Tried before it is saved.
    await page.getByRole('button', { name: 'Try', exact: true }).click();
    await page.getByText(`Leads to ${site}/ios`).waitFor();
    await page.getByRole('button', { name: 'Move Android up' }).focus();
    await page.keyboard.press('Enter');
    await card(page, 1).getByRole('textbox', { name: 'Name' }).waitFor();
    expect(await card(page, 1).getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Android');
    await page.getByRole('button', { name: 'Save rules' }).click();
    await expect
      .poll(async () =>
        (await call('GET', `/account/v1/qrcodes/${code.id}`)).rules.map(
          (rule: { name: string }) => rule.name,
        ),
      )
      .toEqual(['Android', 'iPhone and iPad', 'Split']);
    // An edit by somebody else is not overwritten.
    await page.getByRole('button', { name: 'Remove Split' }).click();
    await call('PATCH', `/account/v1/qrcodes/${code.id}`, { name: 'Elsewhere' });
    await page.getByRole('button', { name: 'Save rules' }).click();
    await page.getByText('Somebody else has changed this code.').waitFor();
    expect((await call('GET', `/account/v1/qrcodes/${code.id}`)).rules).toHaveLength(3);
    // The refusal of a request is one line in the log of a browser.
    expect(faults.filter(fault => !/412/.test(String(fault)))).toEqual([]);
    await context.close();
  });

  test('an owner adds a placement, and sets when the code ends', async () => {
    const { page, context, faults, call, code } = await openRules(viewport);
    await page.getByRole('textbox', { name: 'Where' }).fill('Shop window');
    await page.getByRole('textbox', { name: 'Key' }).fill('window');
    await page.getByRole('button', { name: 'Add placement' }).click();
    await page.getByRole('button', { name: 'Download the code for Shop window' }).waitFor();
    await page.getByLabel('Ends').fill('2020-01-01T00:00');
    await page.getByLabel('While it is off, lead to').fill(`${site}/over`);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect
      .poll(async () => (await call('GET', `/account/v1/qrcodes/${code.id}`)).availability.state)
      .toBe('ended');
    expect(await seriousFindings(page)).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('an owner adds placements from a CSV file, and sees first what is wrong with it', async () => {
    const { page, context, faults, call, code } = await openRules(viewport);
    const choose = (text: string) =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name: 'places.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    const dialog = page.getByRole('dialog');
    await choose('name,key,note\nWindow,window,\nTill,window,');
    await dialog.getByText('Same key as row 1').waitFor();
    await dialog.getByText('1 row is wrong.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Add 2 placements' }).isDisabled()).toBe(true);
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    // What only the server knows is shown in its row too, and nothing was added.
    await choose('name,key\nWindow,window\nFile,png');
    await dialog.getByRole('button', { name: 'Add 2 placements' }).click();
    await dialog.getByText('png is a file type').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await choose("name,note\nWindow,'=1+1\nTable 12,");
    await dialog.getByRole('button', { name: 'Add 2 placements' }).click();
    await page.getByRole('button', { name: 'Download the code for Table 12' }).waitFor();
    const { placements } = await call('GET', `/account/v1/qrcodes/${code.id}`);
    expect(placements.map(({ key, note }: Record<string, unknown>) => [key, note])).toEqual([
      ['window', '=1+1'],
      ['table-12', null],
    ]);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV' }).click(),
    ]);
    expect(readFileSync((await file.path())!, 'utf8')).toContain("window,Window,'=1+1,");
    // The refusal of a request is one line in the log of a browser.
    expect(faults.filter(fault => !/400/.test(String(fault)))).toEqual([]);
    await context.close();
  });
});

test('lunch on weekdays, German phones to the German page, else the evening menu: in a minute at the speed of a person', async () => {
  const { page, context, faults, call, code } = await openRules({ width: 1280, scheme: 'light' });
  const [keyMs, clickMs] = [80, 600];
  const click = async (locator: Locator) => {
    await sleep(clickMs);
    await locator.click();
  };
  const type = async (locator: Locator, text: string) => {
    await click(locator);
    await page.keyboard.type(text, { delay: keyMs });
  };
  /** A field for a time takes its digits in the order of the locale. */
  const setTime = async (locator: Locator, time: string) => {
    await click(locator);
    await sleep(time.length * keyMs);
    await locator.fill(time);
  };
  const add = async (template: string) => {
    await click(page.getByRole('button', { name: 'Add rule' }));
    await click(page.getByRole('menuitem', { name: template }));
  };
  const startMs = performance.now();
  await add('By language');
  await click(card(page, 1).getByRole('button', { name: 'Add condition' }));
  await click(page.getByRole('menuitem', { name: 'Device' }));
  await type(card(page, 1).getByRole('textbox', { name: 'Destination 1', exact: true }), `${site}/de`);
  await add('Opening hours');
  await setTime(card(page, 2).getByLabel('From'), '11:00');
  await setTime(card(page, 2).getByLabel('To', { exact: true }), '14:30');
  await type(card(page, 2).getByRole('textbox', { name: 'Destination 1', exact: true }), `${site}/lunch`);
  await click(page.getByRole('button', { name: 'Save rules' }));
  await expect.poll(async () => (await call('GET', `/account/v1/qrcodes/${code.id}`)).rules.length).toBe(2);
  const seconds = (performance.now() - startMs) / 1000;
  console.log(`rules by a person: ${seconds.toFixed(1)} s`);
  expect(seconds).toBeLessThanOrEqual(60);

  const { rules } = await call('GET', `/account/v1/qrcodes/${code.id}`);
  const zone = rules[1].when.time.timezone;
  const at = (local: string) => new Date(Date.parse(`${local}Z`) - offsetOf(zone, `${local}Z`)).toISOString();
  const leadsTo = async (body: object) =>
    (await call('POST', `/account/v1/qrcodes/${code.id}/rules/test`, body)).url;
  expect(await leadsTo({ at: at('2026-11-17T12:00:00'), device: 'ios', language: 'en' })).toBe(
    `${site}/lunch`,
  );
  expect(await leadsTo({ at: at('2026-11-17T14:30:00'), device: 'ios', language: 'en' })).toBe(
    `${site}/evening`,
  );
  expect(await leadsTo({ at: at('2026-11-21T12:00:00'), device: 'ios', language: 'en' })).toBe(
    `${site}/evening`,
  );
  expect(await leadsTo({ at: at('2026-11-17T12:00:00'), device: 'ios', language: 'de' })).toBe(`${site}/de`);
  expect(await leadsTo({ at: at('2026-11-17T12:00:00'), device: 'desktop', language: 'de' })).toBe(
    `${site}/lunch`,
  );
  expect(faults).toEqual([]);
  await context.close();
});

/** How far the clocks of a zone are ahead of UTC. */
function offsetOf(timeZone: string, moment: string): number {
  const local = new Date(moment).toLocaleString('sv-SE', { timeZone });
  return Date.parse(`${local.replace(' ', 'T')}Z`) - Date.parse(moment);
}
