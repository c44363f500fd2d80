import type { Locator, Page } from 'playwright-core';
import { goodPassword } from '../people.ts';
import type { Filled } from './fill.ts';
import { type DashboardPage, openPage } from './pages.ts';

/** Something that opens over a page or appears on it: how it comes, and what is seen then. */
type Overlay = {
  readonly name: string;
  readonly open: (page: Page) => Promise<Locator>;
  /** Closes with Escape, unless this says how, or that it stays. */
  readonly close?: 'stays' | ((page: Page) => Promise<void>);
  /** Where a phone has it, or a desk has it. */
  readonly only?: 'phone' | 'desk';
};

/** A page with all that opens on it, in this order. */
export type Visit = { readonly page: DashboardPage; readonly overlays: readonly Overlay[] };

/** Opens everything on a page, one after the other, and has each looked at while it is there. */
export async function walkOverlays(
  page: Page,
  { page: place, overlays }: Visit,
  inspect: (what: string) => Promise<void>,
): Promise<void> {
  await openPage(page, place);
  const isPhone = page.viewportSize()!.width < 768;
  for (const { name, open, close, only } of overlays) {
    if (only && (only === 'phone') !== isPhone) continue;
    const seen = await open(page);
    await seen.waitFor();
    await page.locator('[data-busy]').first().waitFor({ state: 'detached' });
    // A toast stays as long as the mouse is on it.
    if ((await seen.getAttribute('role')) === 'alert') await seen.hover();
    await inspect(`${place.path}: ${name}`);
    if (!(await seen.isVisible())) throw new Error(`${name} was gone before it was looked at to the end`);
    if (close === 'stays') continue;
    if (close) await close(page);
    else await page.keyboard.press('Escape');
    await seen.waitFor({ state: 'hidden' });
  }
}

const dialog = (page: Page) => page.getByRole('dialog').last();
const menu = (page: Page) => page.getByRole('menu');
const toast = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text }).first();
const press = (page: Page, name: string | RegExp) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click();
const choose = (page: Page, name: string | RegExp) => page.getByRole('menuitem', { name }).click();
const fault = (page: Page) => page.locator('[aria-invalid=true]').first();

/** A click that leads to what `seen` finds. */
const byButton =
  (name: string | RegExp, seen: (page: Page) => Locator = dialog) =>
  async (page: Page) => {
    await press(page, name);
    return seen(page);
  };

const byMenu = (button: string | RegExp, item: string | RegExp) => async (page: Page) => {
  await press(page, button);
  await choose(page, item);
  return dialog(page);
};

const byLabel = (label: string) => async (page: Page) => {
  await page.getByLabel(label, { exact: true }).first().click();
  return page.getByRole('listbox').filter({ visible: true });
};

/** Fails the next request that matches, as a server without its database does. */
async function failOnce(page: Page, url: string | RegExp): Promise<void> {
  await page.route(
    url,
    route =>
      route.fulfill({
        status: 503,
        json: { error: { code: 'unavailable', message: 'Try again later.', request_id: 'req_test' } },
      }),
    { times: 1 },
  );
}

export const ownerVisits = ({ code, webhook }: Filled): readonly Visit[] => {
  const codePage = { path: `/app/codes/${code.id}`, heading: code.name };
  const webhookPage = { path: `/app/settings/webhooks/${webhook.id}`, heading: webhook.url };
  return [
    {
      page: { path: '/app/codes', heading: 'Codes' },
      overlays: [
        {
          name: 'what a health word means',
          async open(page) {
            await page.getByRole('note').first().focus();
            return page.getByRole('tooltip').first();
          },
          close: page => page.getByRole('note').first().blur(),
        },
        { name: 'the menu of a row', open: byButton(/^More actions for/, menu) },
        { name: 'the statuses', open: byLabel('Status') },
        { name: 'the orders', open: byLabel('Sort by'), only: 'phone' },
        { name: 'the menu of the account', open: byButton('Account menu', menu) },
        {
          name: 'the navigation',
          open: byButton('Open menu', page => page.getByRole('navigation', { name: 'Main' })),
          close: page => press(page, 'Close menu'),
          only: 'phone',
        },
        {
          name: 'the palette',
          async open(page) {
            await page.keyboard.press('Control+k');
            await dialog(page).getByRole('combobox').fill(code.name.slice(0, 6));
            await dialog(page).getByRole('option', { name: code.name }).waitFor();
            return dialog(page);
          },
        },
        {
          name: 'a palette that finds nothing',
          async open(page) {
            await page.keyboard.press('Control+k');
            await dialog(page).getByRole('combobox').fill('zzzzzz');
            await dialog(page).getByText('No results').waitFor();
            return dialog(page);
          },
        },
        {
          name: 'the keys',
          async open(page) {
            await page.keyboard.press('?');
            return page.getByRole('dialog', { name: 'Keyboard shortcuts' });
          },
        },
        {
          name: 'a toast',
          async open(page) {
            await press(page, /^More actions for/);
            await choose(page, 'Copy link');
            return toast(page, 'Link copied.');
          },
          close: 'stays',
        },
        {
          name: 'no match',
          async open(page) {
            await page.getByLabel('Search codes').fill('zzzzzz');
            return page.getByRole('heading', { name: 'No codes match' });
          },
          close: 'stays',
        },
      ],
    },
    {
      page: { path: '/app/codes/new', heading: 'New code' },
      overlays: [
        {
          name: 'campaign parameters',
          open: byButton('Campaign parameters', page => page.getByLabel('Source')),
          close: 'stays',
        },
        {
          name: 'the colour picker',
          async open(page) {
            await page.getByRole('textbox', { name: 'Dot colour' }).click();
            return page.locator('.mantine-ColorInput-dropdown').filter({ visible: true });
          },
          close: page => page.getByLabel('Name').click(),
        },
        {
          name: 'colours that nobody can scan',
          async open(page) {
            await page.getByRole('textbox', { name: 'Dot colour' }).fill('#F0F0F0');
            return page.getByText('Dots and background are too similar').first();
          },
          close: page => press(page, 'Fix it'),
        },
        {
          name: 'faults on the fields',
          async open(page) {
            await page.getByLabel('Destination').fill('ftp://example.com');
            await page.getByLabel('Custom link ending').fill('no ending');
            await press(page, 'Create code');
            await page.getByText('Enter a name').waitFor();
            return fault(page);
          },
          close: 'stays',
        },
        {
          name: 'a question before unsaved work is lost',
          async open(page) {
            await page.getByRole('link', { name: 'Signpost, to your codes' }).first().click();
            return page.getByRole('dialog', { name: 'Discard your changes?' });
          },
          close: page => press(page, 'Keep editing'),
        },
        {
          name: 'a code that was not created',
          async open(page) {
            await failOnce(page, '**/v1/qrcodes');
            await page.getByLabel('Name').fill('Menu');
            await page.getByLabel('Destination').fill('https://example.com/menu');
            await page.getByLabel('Custom link ending').fill('');
            await press(page, 'Create code');
            return page.getByRole('alert').filter({ hasText: 'The code was not created' });
          },
          close: 'stays',
        },
      ],
    },
    {
      page: codePage,
      overlays: [
        { name: 'the menu', open: byButton('More actions', menu) },
        { name: 'the deletion', open: byMenu('More actions', 'Delete') },
        { name: 'the download', open: byButton('Download') },
        {
          name: 'the download for print, on another colour',
          async open(page) {
            await press(page, 'Download');
            await dialog(page).getByRole('radiogroup', { name: 'Use' }).getByText('Print').click();
            await dialog(page)
              .getByRole('radiogroup', { name: 'Background' })
              .getByText('Other colour')
              .click();
            const colour = dialog(page).getByRole('textbox', { name: 'Background colour of this file' });
            await colour.fill('#444444');
            await dialog(page).getByText('on this background.').waitFor();
            await colour.click();
            return page.locator('.mantine-ColorInput-dropdown').filter({ visible: true });
          },
          close: page => dialog(page).getByLabel('Size', { exact: true }).click(),
        },
        {
          name: 'a size that is too small',
          async open(page) {
            await dialog(page).getByLabel('Size', { exact: true }).fill('1');
            return dialog(page).locator('[aria-invalid=true]').first();
          },
        },
        {
          name: 'faults on the fields',
          async open(page) {
            await page.getByLabel('Name').fill('');
            await page.getByLabel('Destination').fill('ftp://example.com');
            await press(page, 'Save');
            return fault(page);
          },
          close: page => press(page, 'Discard changes'),
        },
        {
          name: 'a change that was not saved',
          async open(page) {
            await failOnce(page, `**/v1/qrcodes/${code.id}`);
            await page.getByLabel('Name').fill('Autumn menu');
            await press(page, 'Save');
            return toast(page, 'can’t reach its database');
          },
          close: 'stays',
        },
      ],
    },
    {
      page: codePage,
      overlays: [
        {
          name: 'a toast with Undo',
          async open(page) {
            await press(page, 'More actions');
            await choose(page, 'Pause');
            return toast(page, 'Code paused.');
          },
          close: page => press(page, 'Undo'),
        },
      ],
    },
    {
      page: { ...codePage, path: `${codePage.path}/history` },
      overlays: [{ name: 'an old destination', open: byButton(/^Restore this destination: /) }],
    },
    {
      page: { ...codePage, path: `${codePage.path}/analytics?preset=30d` },
      overlays: [
        { name: 'the share links', open: byButton('Share') },
        { name: 'the export', open: byButton('Export', menu) },
        { name: 'the files of the chart', open: byButton('Download chart', menu) },
        { name: 'the intervals', open: byLabel('Interval') },
        {
          name: 'the calendar',
          open: byButton(/choose days/, page => page.getByRole('dialog', { name: /choose days/ })),
        },
        { name: 'how visitors are counted', open: byButton('How are unique visitors counted?') },
        {
          name: 'a bar of the chart',
          async open(page) {
            const box = (await page.locator('[data-bucket]').last().boundingBox())!;
            await page.mouse.move(box.x + box.width / 2, box.y + box.height - 2);
            return page.locator('[data-tooltip]');
          },
          close: 'stays',
          only: 'desk',
        },
        {
          name: 'a filter without scans',
          async open(page) {
            await page.goto(`${codePage.path}/analytics?preset=30d&city=Nowhere`);
            return page.getByRole('heading', { name: 'No scans in this period' });
          },
          close: 'stays',
        },
      ],
    },
    {
      page: { path: '/app/settings/keys', heading: 'API keys' },
      overlays: [
        { name: 'a revocation', open: byButton(/^Revoke /) },
        {
          name: 'faults of a new key',
          async open(page) {
            await press(page, 'New live key');
            await dialog(page).getByRole('button', { name: 'Create key' }).click();
            await fault(page).waitFor();
            return dialog(page);
          },
          close: 'stays',
        },
        {
          name: 'a wrong password',
          async open(page) {
            await dialog(page).getByLabel('Name').fill('Till');
            await dialog(page).getByLabel('Current password').fill('not the password');
            await dialog(page).getByRole('button', { name: 'Create key' }).click();
            return page.getByText('The current password is wrong');
          },
          close: 'stays',
        },
        {
          name: 'a key that is shown once',
          async open(page) {
            await dialog(page).getByLabel('Current password').fill(goodPassword);
            await dialog(page).getByRole('button', { name: 'Create key' }).click();
            return dialog(page).getByRole('region', { name: 'API key' });
          },
          close: 'stays',
        },
        {
          name: 'a question before it is lost',
          async open(page) {
            await page.keyboard.press('Escape');
            return page.getByRole('alertdialog');
          },
          close: page => press(page, 'Go back'),
        },
      ],
    },
    {
      page: { path: '/app/settings/webhooks', heading: 'Webhooks' },
      overlays: [
        {
          name: 'faults of a new endpoint',
          async open(page) {
            await press(page, 'New endpoint');
            await dialog(page).getByLabel('Endpoint URL').fill('nowhere at all');
            for (const event of await dialog(page).getByRole('checkbox', { checked: true }).all())
              await event.uncheck();
            await dialog(page).getByRole('button', { name: 'Create endpoint' }).click();
            await dialog(page).getByText('Choose at least one event').waitFor();
            return dialog(page);
          },
          close: 'stays',
        },
        {
          name: 'an endpoint that the server refuses',
          async open(page) {
            await dialog(page).getByLabel('Endpoint URL').fill('http://10.0.0.1/hook');
            await dialog(page).getByRole('checkbox').first().check();
            await dialog(page).getByRole('button', { name: 'Create endpoint' }).click();
            return dialog(page).getByRole('alert').first();
          },
        },
      ],
    },
    {
      page: webhookPage,
      overlays: [
        { name: 'the menu', open: byButton('More actions', menu) },
        { name: 'the edit', open: byMenu('More actions', 'Edit') },
        { name: 'the deletion', open: byMenu('More actions', 'Delete') },
        {
          name: 'a delivery',
          async open(page) {
            await page.getByRole('table', { name: 'Deliveries' }).getByRole('button').first().click();
            return page.getByRole('dialog', { name: 'Delivery' });
          },
        },
        {
          name: 'the question about a new secret',
          open: byMenu('More actions', 'Rotate secret'),
          close: 'stays',
        },
        {
          name: 'a new secret',
          open: byButton('Rotate', page => page.getByRole('region', { name: 'signing secret' })),
          close: page => press(page, 'Done'),
        },
        {
          name: 'a test that was sent',
          open: byButton('Send test', page => toast(page, 'Test sent.')),
          close: 'stays',
        },
      ],
    },
    {
      page: { path: '/app/settings/account', heading: 'Profile & security' },
      overlays: [
        {
          name: 'a name that is missing',
          async open(page) {
            await page.getByLabel('Name').fill('');
            await press(page, 'Save name');
            return fault(page);
          },
          close: 'stays',
        },
        {
          name: 'passwords that are missing',
          async open(page) {
            await press(page, 'Change password');
            return page.getByText('Enter your current password').first();
          },
          close: 'stays',
        },
        {
          name: 'a new address with faults',
          async open(page) {
            await press(page, 'Change address');
            await dialog(page).getByRole('button', { name: 'Send link' }).click();
            await dialog(page).locator('[aria-invalid=true]').first().waitFor();
            return dialog(page);
          },
        },
      ],
    },
    {
      page: { path: '/app/settings/general', heading: 'Account' },
      overlays: [
        {
          name: 'the account and what belongs to it',
          open: byButton(/^Account (?!menu)/, menu),
        },
        {
          name: 'a new account with faults',
          async open(page) {
            await byMenu(/^Account (?!menu)/, 'New account')(page);
            await dialog(page).getByRole('button', { name: 'Create account' }).click();
            await dialog(page).locator('[aria-invalid=true]').first().waitFor();
            return dialog(page);
          },
        },
        { name: 'the way out of the account', open: byButton('Leave account…') },
        {
          name: 'the end of the account with faults',
          async open(page) {
            await press(page, 'Close account…');
            await dialog(page).getByRole('button', { name: 'Close account', exact: true }).click();
            await dialog(page).locator('[aria-invalid=true]').first().waitFor();
            return dialog(page);
          },
        },
      ],
    },
    {
      page: { path: '/app/settings/people', heading: 'People' },
      overlays: [{ name: 'the menu of a person', open: byButton(/^Actions for/, menu) }],
    },
    {
      page: { path: '/app/codes/import', heading: 'Import codes' },
      overlays: [
        {
          name: 'a file that cannot be read',
          async open(page) {
            const buffer = Buffer.from('PK\u0003\u0004 not a sheet');
            await page
              .locator('input[type=file]')
              .setInputFiles({ name: 'codes.xlsx', mimeType: 'text/csv', buffer });
            return page.getByRole('alert').filter({ hasText: 'This file can’t be imported' });
          },
          close: 'stays',
        },
        {
          name: 'rows with faults',
          async open(page) {
            await page
              .getByLabel('Or paste rows from a spreadsheet')
              .fill('\thttps://example.com\tmenu\nMenu\tftp://example.com\tno ending');
            await press(page, 'Check these rows');
            await page.getByRole('heading', { name: '2 rows' }).waitFor();
            return fault(page);
          },
          close: 'stays',
        },
        { name: 'the columns', open: byLabel('Destination') },
        { name: 'the question before starting over', open: byButton('Start over') },
      ],
    },
  ];
};

/** For an operator on a server with a report, suspensions and a blocked host. */
export const operatorVisits: readonly Visit[] = [
  {
    page: { path: '/app/operator/people', heading: 'People' },
    overlays: [
      { name: 'the menu of a person', open: byButton(/^Actions for/, menu) },
      { name: 'the end of all sessions', open: byMenu(/^Actions for/, 'Sign out everywhere') },
      {
        name: 'a password link with faults',
        async open(page) {
          const shown = await byMenu(/^Actions for/, 'Send password link')(page);
          await shown.getByRole('button', { name: 'Send link' }).click();
          await shown.getByText('Enter your current password').waitFor();
          return shown;
        },
      },
      {
        name: 'a new operator with faults',
        async open(page) {
          const shown = await byMenu(/^Actions for/, 'Make operator')(page);
          await shown.getByRole('button', { name: 'Make operator' }).click();
          await shown.getByText('Enter your current password').waitFor();
          return shown;
        },
      },
    ],
  },
  {
    page: { path: '/app/operator/accounts', heading: 'Accounts' },
    overlays: [
      { name: 'another plan', open: byButton(/^Change plan of/) },
      { name: 'the plans', open: byLabel('Plan') },
    ],
  },
  {
    page: { path: '/app/operator/reports', heading: 'Reports' },
    overlays: [
      {
        name: 'a suspension without a reason',
        async open(page) {
          await press(page, /^Suspend account… /);
          await dialog(page).getByRole('button', { name: 'Suspend account' }).click();
          await dialog(page).locator('[aria-invalid=true]').first().waitFor();
          return dialog(page);
        },
      },
      { name: 'a suspension of the code', open: byButton(/^Suspend code /) },
      { name: 'a block of the host', open: byButton(/^Block host… /) },
    ],
  },
  {
    page: { path: '/app/operator/suspensions', heading: 'Suspensions' },
    overlays: [
      { name: 'a release', open: byButton(/^Release /) },
      { name: 'an answer to an appeal', open: byButton(/^Keep suspended… /) },
    ],
  },
  {
    page: { path: '/app/operator/blocked-hosts', heading: 'Blocked hosts' },
    overlays: [
      { name: 'the end of a block', open: byButton(/^Unblock /) },
      {
        name: 'a block without a host',
        async open(page) {
          await press(page, 'Block a host');
          await dialog(page).getByRole('button', { name: 'Block host' }).click();
          await dialog(page).locator('[aria-invalid=true]').first().waitFor();
          return dialog(page);
        },
      },
    ],
  },
];

const outsideFaults = (page: DashboardPage, button: string): Visit => ({
  page,
  overlays: [
    {
      name: 'faults on the fields',
      async open(opened) {
        await press(opened, button);
        return fault(opened);
      },
      close: 'stays',
    },
  ],
});

/** For somebody who is not signed in. */
export const outsideVisits: readonly Visit[] = [
  {
    page: { path: '/app/sign-in', heading: 'Sign in' },
    overlays: [
      { name: 'faults on the fields', open: byButton('Sign in', fault), close: 'stays' },
      {
        name: 'a wrong password',
        async open(page) {
          await page.getByLabel('E-mail').fill('somebody@people.example');
          await page.getByLabel('Password', { exact: true }).fill('not the password');
          await press(page, 'Sign in');
          return page.getByRole('alert').filter({ hasText: 'You’re not signed in' });
        },
        close: 'stays',
      },
    ],
  },
  outsideFaults({ path: '/app/sign-up', heading: 'Create an account' }, 'Create account'),
  outsideFaults({ path: '/app/forgot-password', heading: 'Choose a new password' }, 'Send link'),
  outsideFaults(
    { path: '/app/reset-password#token=none', heading: 'Choose a new password' },
    'Change password',
  ),
];
