import { callAs } from '@signpost/testing/dashboard/abuse.ts';
import { seriousFindings } from '@signpost/testing/dashboard/axe.ts';
import { loadDataset } from '@signpost/testing/dashboard/dataset.ts';
import { signUpByForm } from '@signpost/testing/dashboard/people.ts';
import { openWatchedPage } from '@signpost/testing/dashboard/viewport.ts';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';

const onStage = loadDataset();
const site = 'https://menu.example';
const patient = { timeout: 10_000 };

/** One code in two tabs of one person. */
async function openTwice(part = '') {
  const { fixture, browser } = onStage();
  const watched = await openWatchedPage(browser, fixture.url, { width: 1280, scheme: 'light' });
  const { page, context } = watched;
  await signUpByForm(page);
  const call = (method: 'GET' | 'POST' | 'PATCH', path: string, data?: object) =>
    callAs(page.request, fixture.url, method, path, data);
  const body = { name: 'Menu', destination_url: `${site}/evening` };
  const { id } = await call('POST', '/account/v1/qrcodes', body);
  const second = await context.newPage();
  for (const tab of [page, second]) {
    await tab.goto(`/app/codes/${id}${part}`);
    await tab.getByRole('heading', { name: 'Menu', level: 1 }).waitFor();
  }
  return { ...watched, first: page, second, call, read: () => call('GET', `/account/v1/qrcodes/${id}`) };
}

const form = (page: Page, field: string): Locator =>
  page.locator('form').filter({ has: page.getByLabel(field, { exact: true }) });
const save = (page: Page, field: string) =>
  form(page, field).getByRole('button', { name: 'Save', exact: true }).click();
const conflict = (page: Page) => page.getByRole('alert').filter({ hasText: 'Changed elsewhere meanwhile' });
/** Refusals that are meant are lines in the log of a browser too. */
const others = (faults: readonly string[]) => faults.filter(fault => !/412/.test(fault));

test.each([
  ['Name', 'name', 'Lunch', 'Dinner', (value: string) => value],
  ['Destination', 'destination_url', `${site}/lunch`, `${site}/dinner`, (value: string) => value],
  ['Note', 'note', 'By the door', 'On the bar', (value: string) => value],
  ['Scan limit', 'max_scans', '100', '200', Number],
] as const)(
  '%s saved in two tabs: the second is told, sees both values, and chooses',
  async (label, field, theirs, mine, stored) => {
    const { first, second, read, faults, context } = await openTwice(label === 'Scan limit' ? '/rules' : '');
    const inputOf = (page: Page) => form(page, label).getByLabel(label, { exact: true });
    await inputOf(second).fill(mine);
    await inputOf(first).fill(theirs);
    await save(first, label);
    await expect.poll(async () => (await read())[field], patient).toBe(stored(theirs));

    await save(second, label);
    await conflict(second).getByText(mine).waitFor();
    await conflict(second).getByText(theirs).waitFor();
    expect(await seriousFindings(second)).toEqual([]);
    expect((await read())[field]).toBe(stored(theirs));
    await conflict(second).getByRole('button', { name: 'Take theirs' }).click();
    await conflict(second).waitFor({ state: 'detached' });
    expect(await inputOf(second).inputValue()).toBe(theirs);
    expect((await read())[field]).toBe(stored(theirs));

    // The other way round, and with the other answer.
    await inputOf(first).fill(mine);
    await inputOf(second).fill(mine.replace(/.$/, '9'));
    await save(second, label);
    await expect.poll(async () => (await read())[field], patient).toBe(stored(mine.replace(/.$/, '9')));
    await save(first, label);
    await conflict(first).getByRole('button', { name: 'Keep mine' }).click();
    await expect.poll(async () => (await read())[field], patient).toBe(stored(mine));
    await conflict(first).waitFor({ state: 'detached' });
    expect(others(faults)).toEqual([]);
    await context.close();
  },
);

test('different fields of one code are saved from two tabs without a question, and nothing typed is lost', async () => {
  const { first, second, read, faults, context } = await openTwice();
  await form(second, 'Name').getByLabel('Name', { exact: true }).fill('Mine');
  await form(second, 'Note').getByLabel('Note', { exact: true }).fill('By the door');
  await form(first, 'Name').getByLabel('Destination', { exact: true }).fill('menu.example/lunch');
  await save(first, 'Name');
  await expect.poll(async () => (await read()).destination_url, patient).toBe(`${site}/lunch`);
  // A tab that is looked at again reads the code again.
  await second.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await save(second, 'Name');
  await save(second, 'Note');
  await expect
    .poll(async () => {
      const { name, destination_url, note } = await read();
      return [name, destination_url, note];
    }, patient)
    .toEqual(['Mine', `${site}/lunch`, 'By the door']);
  await expect
    .poll(() => form(second, 'Name').getByLabel('Destination', { exact: true }).inputValue(), patient)
    .toBe(`${site}/lunch`);
  expect(await conflict(second).count()).toBe(0);
  // Undo takes back its own field only.
  await second.getByRole('button', { name: 'Undo' }).first().click();
  await expect
    .poll(async () => (await read()).name === 'Menu' || (await read()).note === null, patient)
    .toBe(true);
  expect((await read()).destination_url).toBe(`${site}/lunch`);
  expect(others(faults)).toEqual([]);
  await context.close();
});

test('rules saved in two tabs: the second sees what both changed, and chooses', async () => {
  const { first, second, read, faults, context } = await openTwice('/rules');
  const add = async (page: Page, template: string, path: string) => {
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByRole('menuitem', { name: template }).click();
    await page.getByRole('textbox', { name: 'Destination 1', exact: true }).fill(`${site}/${path}`);
  };
  const rules = async () => (await read()).rules.map(({ name }: { name: string }) => name);
  await add(second, 'Opening hours', 'lunch');
  await add(first, 'Before or after a date', 'winter');
  await first.getByRole('button', { name: 'Save rules' }).click();
  await expect.poll(rules, patient).toEqual(['From a date on']);
  await second.getByRole('button', { name: 'Save rules' }).click();
  await conflict(second).getByText('“Opening hours” added').waitFor();
  await conflict(second).getByText('“From a date on” added').waitFor();
  expect(await rules()).toEqual(['From a date on']);
  await conflict(second).getByRole('button', { name: 'Keep mine' }).click();
  await expect.poll(rules, patient).toEqual(['Opening hours']);
  await conflict(second).waitFor({ state: 'detached' });
  // The first tab still has the rule that is gone, and takes what is saved.
  await first.getByRole('switch', { name: 'Active' }).click();
  await first.getByRole('button', { name: 'Save rules' }).click();
  await conflict(first).getByRole('button', { name: 'Take theirs' }).click();
  await conflict(first).waitFor({ state: 'detached' });
  await expect
    .poll(() => first.getByRole('textbox', { name: 'Destination 1', exact: true }).inputValue(), patient)
    .toBe(`${site}/lunch`);
  expect(await rules()).toEqual(['Opening hours']);
  expect(others(faults)).toEqual([]);
  await context.close();
});
