import { launchChromium } from '@signpost/testing/chromium.ts';
import { callAs } from '@signpost/testing/dashboard/abuse.ts';
import { findingsInSchemes } from '@signpost/testing/dashboard/axe.ts';
import { createDashboardFixture, type DashboardFixture } from '@signpost/testing/dashboard/fixture.ts';
import { layoutFaults } from '@signpost/testing/dashboard/layout.ts';
import { openPage } from '@signpost/testing/dashboard/pages.ts';
import { openWatchedPage, type Viewport, type WatchedPage } from '@signpost/testing/dashboard/viewport.ts';
import { goodPassword, newEmail } from '@signpost/testing/people.ts';
import { runCommand } from '@signpost/testing/server.ts';
import { decodeMail, type SmtpSink, startSmtpSink } from '@signpost/testing/smtp-sink.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** A folder for pictures of what is seen on the way. */
const pictures = process.env.ACCOUNTS_PICTURES;

let mails: SmtpSink;
let fixture: DashboardFixture;
let browser: Browser;

beforeAll(async () => {
  mails = await startSmtpSink();
  [fixture, browser] = await Promise.all([
    createDashboardFixture({ SMTP_URL: mails.url, SIGN_UP: 'closed' }),
    launchChromium(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await fixture?.close();
  mails?.close();
});

const viewports: readonly Viewport[] = [
  { width: 1280, scheme: 'light' },
  { width: 375, scheme: 'dark' },
];

/** In CI a phone: the smaller window hides more. */
const taken = process.env.CI ? viewports.slice(-1) : viewports;

test.each(taken)(
  'an agency has an account per client, works in it with others, and hands one over: $width px',
  async viewport => {
    const [colleague, client] = [newEmail(), newEmail()];
    const agency = await createUser(viewport, 'Ada Agency');
    await openPage(agency.page, { path: '/app/codes', heading: 'Codes' });
    await callAs(agency.page.request, fixture.url, 'POST', '/account/v1/designs', {
      name: 'House style',
      style: { dotsColor: '#123456' },
    });

    // One account for each client, with the designs of the agency.
    await createAccount(agency.page, 'Museum', 'Ada Agency', viewport);
    await createAccount(agency.page, 'Café Aurora', 'Museum', viewport);
    await openPage(agency.page, { path: '/app/designs', heading: 'Designs' });
    await agency.page.getByRole('link', { name: 'House style' }).first().waitFor();
    await openSwitcher(agency.page);
    await agency.page.getByRole('menuitem', { name: /^Museum/ }).waitFor();
    await look(agency.page, 'switcher', viewport);
    await agency.page.keyboard.press('Escape');

    // A colleague may change codes, the client may look.
    await openPage(agency.page, { path: '/app/settings/people', heading: 'People' });
    await invite(agency.page, colleague, 'Editor', viewport);
    await invite(agency.page, client, 'Viewer');
    await agency.page.getByRole('table', { name: 'Invitations' }).getByText(client).waitFor();
    await look(agency.page, 'people with invitations', viewport);

    const links = { colleague: await newestLink(colleague, 1), client: await newestLink(client, 1) };
    await agency.page.goto(links.client);
    await agency.page.getByText('This invitation is for another address').waitFor();
    await look(agency.page, 'invitation for another address', viewport);

    const editor = await joinByMail(viewport, links.colleague, colleague, 'Cora Colleague', 'Café Aurora');
    await editor.page.getByRole('link', { name: 'New code' }).first().waitFor();
    await openPage(editor.page, { path: '/app/settings/people', heading: 'People' });
    await editor.page.getByText('Not part of your role').waitFor();
    await look(editor.page, 'a page that the role does not include', viewport);

    const viewer = await joinByMail(viewport, links.client, client, 'Carl Client', 'Café Aurora');
    expect(await viewer.page.getByRole('link', { name: 'New code' }).count()).toBe(0);
    await viewer.page.getByText('Viewers can’t create or change codes').waitFor();
    await look(viewer.page, 'codes of a viewer', viewport);
    await openPage(viewer.page, { path: '/app/designs', heading: 'Designs' });
    expect(await viewer.page.getByRole('link', { name: 'New design' }).count()).toBe(0);

    // The museum becomes its own: its owner accepts, and the agency leaves.
    await openPage(agency.page, { path: '/app/codes', heading: 'Codes' });
    await switchTo(agency.page, 'Museum');
    await openPage(agency.page, { path: '/app/settings/people', heading: 'People' });
    await invite(agency.page, client, 'Owner');
    await viewer.page.goto(await newestLink(client, 2));
    await viewer.page.getByRole('heading', { name: 'Join Museum' }).waitFor();
    await look(viewer.page, 'invitation to accept', viewport);
    await viewer.page.getByRole('button', { name: 'Accept' }).click();
    await viewer.page.getByText('You now belong to Museum.').waitFor();
    await accountNamed(viewer.page, 'Museum').waitFor();
    await openPage(agency.page, { path: '/app/settings/people', heading: 'People' });
    await agency.page.getByRole('table', { name: 'Members' }).getByText(client).waitFor();
    await leave(agency.page, 'Museum', viewport);
    await accountNamed(agency.page, /Ada Agency|Café Aurora/).waitFor();
    await openSwitcher(agency.page);
    await agency.page.getByRole('menuitem', { name: /^Café Aurora/ }).waitFor();
    expect(await agency.page.getByRole('menuitem', { name: /^Museum/ }).count()).toBe(0);
    await agency.page.keyboard.press('Escape');

    // The new owner has two accounts, and in the one the last word.
    await openPage(viewer.page, { path: '/app/settings/general', heading: 'Account' });
    await look(viewer.page, 'account', viewport);
    await viewer.page.getByRole('textbox', { name: 'Name' }).fill('City Museum');
    await viewer.page.getByRole('button', { name: 'Save name' }).click();
    await accountNamed(viewer.page, 'City Museum').waitFor();
    await viewer.page.getByLabel('Editors may delete codes').click();
    await viewer.page.getByText('Editors can’t delete codes any more.').waitFor();

    // Two tabs look at two accounts.
    const tab = await viewer.context.newPage();
    await openPage(tab, { path: '/app/codes', heading: 'Codes' });
    await switchTo(tab, 'Café Aurora');
    await openPage(viewer.page, { path: '/app/codes', heading: 'Codes' });
    await accountNamed(viewer.page, 'City Museum').waitFor();
    await accountNamed(tab, 'Café Aurora').waitFor();

    // Of what is meant to be refused, nothing was tried.
    for (const { faults } of [agency, editor, viewer]) expect(faults).toEqual([]);

    // Whoever is removed from their only account may sign in, and sees who invites them back.
    if (!(await accountNamed(agency.page, 'Café Aurora').isVisible()))
      await switchTo(agency.page, 'Café Aurora');
    await openPage(agency.page, { path: '/app/settings/people', heading: 'People' });
    await changeRole(agency.page, colleague, 'Admin', viewport);
    await removePerson(agency.page, colleague, viewport);
    await editor.page.goto('/app/codes');
    await editor.page.getByRole('heading', { name: 'You belong to no account' }).waitFor();
    await look(editor.page, 'no account', viewport);
    await invite(agency.page, colleague, 'Admin');
    await newestLink(colleague, 2);
    await editor.page.reload();
    await editor.page.getByText(/invites you to Café Aurora as Admin/).waitFor();
    await look(editor.page, 'no account, invited', viewport);
    await editor.page.getByRole('button', { name: 'Sign out' }).click();
    await editor.page.getByRole('heading', { name: 'Sign in' }).waitFor();

    // Signed out, the same link asks for the sign-in, and accepts in one step.
    await editor.page.goto(await newestLink(colleague, 2));
    await editor.page.getByText('I already sign in').click();
    await editor.page.getByLabel('E-mail').fill(colleague);
    await editor.page.getByLabel('Password', { exact: true }).fill(goodPassword);
    await look(editor.page, 'invitation, sign in', viewport);
    await editor.page.getByRole('button', { name: 'Sign in and join' }).click();
    await editor.page.getByText('You now belong to Café Aurora.').waitFor();
    await openPage(editor.page, { path: '/app/settings/people', heading: 'People' });
    await editor.page.getByRole('table', { name: 'Members' }).getByText(client).waitFor();
    for (const { context } of [agency, editor, viewer]) await context.close();
  },
);

/** What axe finds in both schemes, and what is cut or out of place. */
async function look(page: Page, what: string, { width, scheme }: Viewport): Promise<void> {
  expect(await layoutFaults(page), what).toEqual([]);
  expect(await findingsInSchemes(page, what)).toEqual([]);
  await page.emulateMedia({ colorScheme: scheme });
  if (pictures) await page.screenshot({ path: `${pictures}/${what} ${width}.png`, fullPage: true });
}

/** As the operator of a server where nobody can sign up does it. */
async function createUser(viewport: Viewport, name: string): Promise<WatchedPage> {
  const email = newEmail();
  const { code, output } = await runCommand(
    ['admin', 'create-user', email, '--name', name],
    fixture.base.env,
  );
  expect(code, output).toBe(0);
  const watched = await openWatchedPage(browser, fixture.url, viewport);
  const { page } = watched;
  await page.goto(/https?:\S+#token=\S+/.exec(output)![0]);
  await page.getByLabel('New password').fill(goodPassword);
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(goodPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Codes', level: 1 }).waitFor();
  return watched;
}

const accountNamed = (page: Page, name: string | RegExp) =>
  page
    .getByRole('banner')
    .getByRole('button', { name: /^Account (?!menu)/ })
    .filter({ hasText: name });

const openSwitcher = (page: Page) => accountNamed(page, '').click();

async function switchTo(page: Page, name: string): Promise<void> {
  await openSwitcher(page);
  await page.getByRole('menuitem', { name: new RegExp(`^${name}`) }).click();
  await accountNamed(page, name).waitFor();
  await page.getByRole('heading', { name: 'Codes', level: 1 }).waitFor();
}

async function createAccount(page: Page, name: string, from: string, viewport: Viewport): Promise<void> {
  await openSwitcher(page);
  await page.getByRole('menuitem', { name: 'New account' }).click();
  const dialog = page.getByRole('dialog', { name: 'New account' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Copy designs from').selectOption(from);
  await look(page, 'new account', viewport);
  await dialog.getByRole('button', { name: 'Create account' }).click();
  await page.getByText(`${name} is ready.`).waitFor();
  await accountNamed(page, name).waitFor();
}

async function invite(page: Page, email: string, role: string, viewport?: Viewport): Promise<void> {
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite a person' });
  await dialog.getByLabel('E-mail address').fill(email);
  await dialog.getByRole('radio', { name: role }).check();
  if (viewport) await look(page, 'invite', viewport);
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await page.getByText(`Invitation sent to ${email}.`).waitFor();
  await dialog.waitFor({ state: 'detached' });
}

/** The link in the newest mail to an address, once there are so many with one. */
async function newestLink(email: string, count: number): Promise<string> {
  const links = () =>
    mails.mails
      .map(decodeMail)
      .filter(mail => mail.includes(`To: ${email}`))
      .flatMap(mail => /https?:\S+\/app\/invitation#token=\S+/.exec(mail) ?? []);
  await expect.poll(() => links().length, { timeout: 20_000 }).toBe(count);
  return links().at(-1)!;
}

/** Opens the link in a browser of their own, and creates a sign-in with it. */
async function joinByMail(
  viewport: Viewport,
  link: string,
  email: string,
  name: string,
  account: string,
): Promise<WatchedPage> {
  const watched = await openWatchedPage(browser, fixture.url, viewport);
  const { page } = watched;
  await page.goto(link);
  await page.getByRole('heading', { name: `Join ${account}` }).waitFor();
  await page.waitForURL(({ href }) => !href.includes('token'));
  await look(page, 'invitation, sign up', viewport);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(goodPassword);
  await page.getByRole('button', { name: 'Sign up and join' }).click();
  await page.getByText(`You now belong to ${account}.`).waitFor();
  await page.getByRole('heading', { name: 'Codes', level: 1 }).waitFor();
  return watched;
}

async function leave(page: Page, account: string, viewport: Viewport): Promise<void> {
  await openPage(page, { path: '/app/settings/general', heading: 'Account' });
  await page.getByRole('button', { name: 'Leave account…' }).click();
  const dialog = page.getByRole('dialog', { name: `Leave ${account}?` });
  await look(page, 'leave', viewport);
  await dialog.getByRole('button', { name: 'Leave account' }).click();
  await page.getByRole('heading', { name: 'Codes', level: 1 }).waitFor();
}

async function changeRole(page: Page, email: string, role: string, viewport: Viewport): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${email}` }).click();
  await page.getByRole('menuitem', { name: 'Change role' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: role }).check();
  await look(page, 'change role', viewport);
  await dialog.getByRole('button', { name: 'Change role' }).click();
  await page.getByRole('row').filter({ hasText: email }).getByText(role, { exact: true }).waitFor();
}

async function removePerson(page: Page, email: string, viewport: Viewport): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${email}` }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  const dialog = page.getByRole('dialog');
  await look(page, 'remove', viewport);
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByText(email).first().waitFor({ state: 'detached' });
}
