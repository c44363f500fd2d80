import {
  callAs,
  createCodeFor,
  makeOperator,
  type Owner,
  openOwner,
} from '@signpost/testing/dashboard/abuse.ts';
import { seriousFindings } from '@signpost/testing/dashboard/axe.ts';
import { loadDataset } from '@signpost/testing/dashboard/dataset.ts';
import { openPage } from '@signpost/testing/dashboard/pages.ts';
import { signInByForm } from '@signpost/testing/dashboard/people.ts';
import type { Viewport } from '@signpost/testing/dashboard/viewport.ts';
import { newEmail } from '@signpost/testing/people.ts';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

const onStage = loadDataset();

/** A folder for pictures of what is seen on the way. */
const pictures = process.env.PEOPLE_PICTURES;
const viewport = {
  width: Number(process.env.PEOPLE_WIDTH ?? 1440),
  scheme: process.env.PEOPLE_SCHEME ?? 'light',
} as Viewport;

let owner: Owner;
let operator: Owner;

beforeAll(async () => {
  const { fixture, browser } = onStage();
  owner = await openOwner(browser, fixture, viewport, 'Olive Owner');
  operator = await openOwner(browser, fixture, viewport, 'Otto Operator');
  await makeOperator(fixture, operator.person);
});

async function look(page: Page, what: string): Promise<void> {
  expect(await seriousFindings(page), what).toEqual([]);
  const { width, scheme } = viewport;
  if (pictures) await page.screenshot({ path: `${pictures}/${what} ${width} ${scheme}.png`, fullPage: true });
}

const profile = { path: '/app/settings/account', heading: 'Profile & security' };

test('the plan says that codes for this machine are not to be printed', async () => {
  const { page } = owner;
  await openPage(page, { path: '/app/settings/plan', heading: 'Plan' });
  await page.getByText('Your codes only work on this network').waitFor();
  await look(page, 'plan');
});

test('an owner changes the e-mail address by a link in the new mailbox', async () => {
  const { mails } = onStage();
  const { page, person } = owner;
  const email = newEmail();
  await openPage(page, profile);
  await page.getByText('This device').waitFor();
  await look(page, 'profile');
  await page.getByRole('button', { name: 'Change address' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Send link' }).click();
  await dialog.getByText('Enter your current password').waitFor();
  await look(page, 'change address, refused');
  await dialog.getByLabel('New e-mail address').fill(email);
  await dialog.getByLabel('Current password').fill('not the password');
  await dialog.getByRole('button', { name: 'Send link' }).click();
  await dialog.getByText('The current password is wrong').waitFor();
  await dialog.getByLabel('Current password').fill(person.password);
  await dialog.getByRole('button', { name: 'Send link' }).click();
  await page.getByText(`Waiting for you to confirm ${email}`).waitFor();
  await look(page, 'address pending');
  const mail = await mails.mail(`To: ${email}`, 'Confirm your new e-mail address');
  await page.goto(/https?:\S+#token=\S+/.exec(mail)![0]);
  await page.waitForURL(({ href }) => !href.includes('token'));
  await look(page, 'confirm address');
  await page.getByRole('button', { name: 'Confirm new address' }).click();
  await page.getByRole('heading', { name: 'Your e-mail address is changed' }).waitFor();
  await page.getByRole('link', { name: 'Go to your profile' }).click();
  await page.getByRole('group', { name: 'Current address' }).getByText(email).waitFor();
  owner = { ...owner, person: { ...person, email } };
});

test('an operator finds people, signs them out, sends a link and makes another operator', async () => {
  const { mails } = onStage();
  const { page, person } = operator;
  await openPage(page, { path: '/app/operator/people', heading: 'People' });
  await look(page, 'people');
  await page.getByLabel('E-mail address').fill(owner.person.email.slice(0, 8));
  await page.locator('#content').getByRole('button', { name: 'Search' }).click();
  const table = page.getByRole('table', { name: 'People' });
  const row = table.getByRole('row').filter({ hasText: owner.person.email });
  await row.waitFor();
  await table.getByText(person.email).waitFor({ state: 'detached' });
  const choose = async (item: string) => {
    await page.getByRole('button', { name: `Actions for ${owner.person.email}` }).click();
    await page.getByRole('menuitem', { name: item }).click();
    return page.getByRole('dialog');
  };
  const ending = await choose('Sign out everywhere');
  await look(page, 'sign out everywhere');
  await ending.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByText('1 session ended.').waitFor();
  const reset = await choose('Send password link');
  await reset.getByLabel('Current password').fill(person.password);
  await reset.getByRole('button', { name: 'Send link' }).click();
  await page.getByText(`Link sent to ${owner.person.email}.`).waitFor();
  await mails.mail(`To: ${owner.person.email}`, 'Set a new password');
  const making = await choose('Make operator');
  await look(page, 'make operator');
  await making.getByLabel('Current password').fill(person.password);
  await making.getByRole('button', { name: 'Make operator' }).click();
  await row.getByText('Operator', { exact: true }).waitFor();
  const removing = await choose('Remove as operator');
  await removing.getByLabel('Current password').fill(person.password);
  await removing.getByRole('button', { name: 'Remove as operator' }).click();
  await row.getByText('Operator', { exact: true }).waitFor({ state: 'detached' });
});

test('an operator finds an account and puts it on another plan', async () => {
  const { page } = operator;
  await openPage(page, { path: '/app/operator/plans', heading: 'Plans' });
  await page.getByRole('table', { name: 'Plans' }).getByText('For new accounts').waitFor();
  await look(page, 'plans');
  await page.getByRole('link', { name: /accounts on the business plan/ }).click();
  await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor();
  await page.getByRole('table', { name: 'Accounts' }).getByText('Olive Owner').waitFor();
  await look(page, 'accounts');
  await page.getByRole('button', { name: 'Change plan of Olive Owner' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'enterprise' }).check();
  await look(page, 'change plan');
  await dialog.getByRole('button', { name: 'Change plan' }).click();
  await page.getByText('Olive Owner is now on the enterprise plan.').waitFor();
  await openPage(page, { path: `/app/operator/accounts?search=${owner.person.email}`, heading: 'Accounts' });
  await page
    .getByRole('row')
    .filter({ hasText: 'enterprise' })
    .getByRole('link', { name: 'Olive Owner' })
    .click();
  await page.getByRole('heading', { name: 'Olive Owner', level: 1 }).waitFor();
});

test('the set-up check names what was found and what to do', async () => {
  const { page } = operator;
  await openPage(page, { path: '/app/operator/setup', heading: 'Set-up check' });
  const found = page.getByRole('list', { name: 'What was checked' });
  await found.getByText('accepts mail from this server').waitFor();
  await found.getByText('printed codes work only on this machine').waitFor();
  await found.getByText('ClickHouse', { exact: true }).waitFor();
  await look(page, 'set-up check');
  await page.getByRole('button', { name: 'Check again' }).click();
  await found.locator('xpath=..').and(page.locator('[aria-busy=false]')).waitFor();
});

test('the pages of operators say to everybody else that they are not for them', async () => {
  const { page, person } = owner;
  await signInByForm(page, person);
  for (const path of ['people', 'accounts', 'plans', 'setup'])
    await openPage(page, { path: `/app/operator/${path}`, heading: 'For operators' });
});

test('an owner closes the account: its code stops, and nobody signs in to it any more', async () => {
  const { fixture } = onStage();
  const { page, person } = owner;
  const code = await createCodeFor(owner, fixture, 'Closing');
  expect(await fixture.scan(code.short_url)).toBe(302);
  await openPage(page, { path: '/app/settings/general', heading: 'Account' });
  await page.getByRole('button', { name: 'Close account…' }).click();
  const dialog = page.getByRole('dialog');
  await look(page, 'close account');
  await dialog.getByRole('button', { name: 'Close account', exact: true }).click();
  await dialog.getByText('Type your e-mail address').waitFor();
  await look(page, 'close account, refused');
  await dialog.getByLabel(`Type ${person.email} to confirm`).fill(person.email);
  await dialog.getByLabel('Current password').fill(person.password);
  await dialog.getByRole('button', { name: 'Close account', exact: true }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await fixture.scan(code.short_url)).toBe(410);
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Wrong e-mail or password').waitFor();
  await expect(callAs(page.request, fixture.url, 'GET', '/account/me')).rejects.toThrow();
});
