import { readFileSync } from 'node:fs';
import { isFullSize } from '@signpost/testing/ci-scale.ts';
import { callAs } from '@signpost/testing/dashboard/abuse.ts';
import { countClicks } from '@signpost/testing/dashboard/clicks.ts';
import { loadDataset } from '@signpost/testing/dashboard/dataset.ts';
import { go } from '@signpost/testing/dashboard/journey.ts';
import { signUpByForm } from '@signpost/testing/dashboard/people.ts';
import { openWatchedPage } from '@signpost/testing/dashboard/viewport.ts';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';

const onStage = loadDataset();
const patient = { timeout: 20_000 };
const exact = (name: string) => ({ name, exact: true });

async function open(width: 1280 | 375) {
  const { fixture, browser } = onStage();
  const watched = await openWatchedPage(browser, fixture.url, { width, scheme: 'light' });
  const { page } = watched;
  const call = (path: string) => callAs(page.request, fixture.url, 'GET', `/account/v1${path}`);
  return { ...watched, call, clicks: await countClicks(page) };
}

/** By a click into the field, as a person does. */
async function type(field: Locator, text: string): Promise<void> {
  await field.click();
  await field.fill(text);
}

async function makeCode(page: Page, name: string, destination: string): Promise<void> {
  await type(page.getByLabel('Name'), name);
  await type(page.getByLabel('Destination'), destination);
  await page.getByRole('button', { name: 'Create code' }).filter({ visible: true }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

const card = (page: Page, number: number): Locator =>
  page.getByRole('listitem', { name: new RegExp(`^Rule ${number}:`) });

async function addRule(page: Page, template: string): Promise<void> {
  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.getByRole('menuitem', { name: template }).click();
}

const places = [
  'Entrance',
  'Ticket desk',
  'Cloakroom',
  ...Array.from({ length: 9 }, (_, n) => `Room ${n + 1}`),
];
/** Sixty scans: by placement in the order of `places`, with the garden last, and by language. */
const scansByPlace = [9, 4, 1, 3, 2, 5, 16, 2, 3, 6, 1, 2, 6];
const languages = ['de-DE,de;q=0.9', 'fr', 'en-GB', 'de-AT', 'de', 'fr-CA,fr;q=0.8'];

/** A ranking of the analytics page, as it is read: the label of each line, and its figure. */
const rankingOf = async (page: Page, name: string) =>
  await page
    .getByRole('table', { name })
    .getByRole('row')
    .evaluateAll(rows =>
      rows.map(row => {
        const cells = (
          row as unknown as {
            cells: ArrayLike<{
              textContent: string;
              querySelector: (of: string) => { firstChild: { textContent: string } } | null;
            }>;
          }
        ).cells;
        const label = cells[0]!.querySelector('button')?.firstChild.textContent ?? cells[0]!.textContent;
        return [label, Number(cells[1]!.textContent)] as const;
      }),
    );

test.each(isFullSize ? ([1280, 375] as const) : ([1280] as const))(
  'a museum at %i px: one code in 13 places and two more languages, in fewer than 45 clicks, and it sees what works best',
  async width => {
    const { page, context, faults, call, clicks } = await open(width);
    await signUpByForm(page);
    await makeCode(page, 'Audio guide', 'museum.example/guide');

    await page.getByRole('tab', { name: 'Placements' }).click();
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Import from CSV' }).click(),
    ]);
    const csv = ['name', ...places].join('\n');
    await chooser.setFiles({ name: 'places.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await page.getByRole('button', { name: 'Add 12 placements' }).click();
    await page.getByText('12 placements added.').waitFor();
    await type(page.getByRole('textbox', exact('Place')), 'Garden');
    await page.getByRole('button', { name: 'Add placement' }).click();
    await page.getByText('“Garden” added.').waitFor();

    await page.getByRole('tab', { name: 'Rules' }).click();
    for (const [at, language, path] of [
      [1, 'German', 'de'],
      [2, 'French', 'fr'],
    ] as const) {
      await addRule(page, 'By language');
      await type(card(page, at).getByRole('combobox', { name: 'Language' }), language);
      await page.getByRole('option', exact(language)).click();
      await type(card(page, at).getByRole('textbox', exact('Destination 1')), `museum.example/${path}`);
    }
    await page.getByRole('button', { name: 'Save rules' }).click();
    await page.getByText('2 rules', { exact: true }).waitFor();

    await page.getByRole('tab', { name: 'Placements' }).click();
    await page.getByRole('link', { name: 'Print labels' }).click();
    await page.getByText(/^13 labels.*1 sheet$/).waitFor();
    const [sheet] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download PDF' }).click(),
    ]);
    expect(readFileSync((await sheet.path())!, 'latin1')).toMatch(/^%PDF-/);

    const [{ id }] = (await call('/qrcodes')).data;
    const { placements } = (await call(`/qrcodes/${id}`)) as {
      placements: { short_url: string; name: string }[];
    };
    expect(placements.map(({ name }) => name)).toEqual([...places, 'Garden']);
    const visits = placements.flatMap(({ short_url }, at) =>
      Array<string>(scansByPlace[at]!).fill(short_url),
    );
    expect(visits).toHaveLength(60);
    const leads = await Promise.all(
      visits.map(async (url, at) => {
        const answer = await fetch(url, {
          redirect: 'manual',
          headers: {
            'x-forwarded-for': `203.0.113.${at + 1}`,
            'accept-language': languages[at % languages.length]!,
            'user-agent':
              'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/142.0 Mobile Safari/537.36',
          },
        });
        return answer.headers.get('location')!;
      }),
    );
    await expect.poll(async () => (await call(`/qrcodes/${id}`)).total_scans, patient).toBe(60);

    await go(page, 'Codes');
    await page.getByRole('link', exact('Audio guide')).first().click();
    await page.getByRole('tab', { name: 'Analytics' }).click();
    await page.getByRole('table', { name: 'Scans by placement' }).waitFor();
    const figures = await call(`/qrcodes/${id}/analytics`);
    const nameOf = new Map(placements.map(({ name, short_url }) => [short_url.split('.').at(-1)!, name]));
    const byPlace = await rankingOf(page, 'Scans by placement');
    const wanted = (figures.placements as { key: string; scans: number }[])
      .map(({ key, scans }) => [nameOf.get(key) ?? key, scans] as const)
      .filter(([name, scans]) => name !== '' || scans > 0)
      .toSorted(([, a], [, b]) => b - a);
    expect(byPlace.slice(0, 10)).toEqual(wanted.slice(0, 10));
    expect(byPlace[0]).toEqual(['Room 4', 16]);
    const byDestination = await rankingOf(page, 'Scans by destination');
    const targets = figures.targets as { url: string; scans: number }[];
    expect(byDestination).toEqual(
      targets
        .toSorted((a, b) => b.scans - a.scans)
        .map(({ url, scans }) => [url.replace('https://', ''), scans]),
    );
    expect(byDestination[0]).toEqual(['museum.example/de', leads.filter(url => url.endsWith('/de')).length]);

    console.log(`museum at ${width} px: ${await clicks()} clicks`);
    expect(await clicks()).toBeLessThan(45);
    expect(faults).toEqual([]);
    await context.close();
  },
);

test('a café on a phone: a lunch rule is saved, undone, seen in the list and in the history, and restored', async () => {
  const { page, context, faults, call, clicks } = await open(375);
  await signUpByForm(page);
  await makeCode(page, 'Table menu', 'example.com/evening');
  const [{ id }] = (await call('/qrcodes')).data;
  const urls = async () =>
    (await call(`/qrcodes/${id}`)).rules.map(({ to }: { to: { url: string }[] }) => to[0]!.url);
  await page.getByRole('tab', { name: 'Rules' }).click();
  await addRule(page, 'Opening hours');
  await type(card(page, 1).getByRole('textbox', exact('Name')), 'Lunch');
  await type(card(page, 1).getByRole('textbox', exact('Destination 1')), 'example.com/lunch');
  await page.getByRole('button', { name: 'Save rules' }).click();
  await page.getByText('Rules saved.').waitFor();
  expect(await urls()).toEqual(['https://example.com/lunch']);

  await go(page, 'Codes');
  const mark = page.locator('#content').getByText('1 rule', { exact: true }).filter({ visible: true });
  await mark.waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await mark.waitFor({ state: 'detached' });
  expect(await urls()).toEqual([]);

  await page.getByRole('link', exact('Table menu')).filter({ visible: true }).click();
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByText('“Lunch” added').waitFor();
  await page.getByText('“Lunch” removed').waitFor();
  await page
    .getByRole('button', { name: /^Restore the rules before this/ })
    .first()
    .click();
  await page.getByRole('dialog').getByText('“Lunch” added').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await expect.poll(urls, patient).toEqual(['https://example.com/lunch']);
  await go(page, 'Codes');
  await mark.waitFor();
  console.log(`café at 375 px: ${await clicks()} clicks`);
  expect(faults).toEqual([]);
  await context.close();
});
