import type { Page } from 'playwright-core';
import { goodPassword, newEmail } from '../people.ts';
import type { SmtpSink } from '../smtp-sink.ts';

export type Person = { readonly name: string; readonly email: string; readonly password: string };

/** Signs up with the form; ends on the page of a new code. */
export async function signUpByForm(page: Page, name = 'Ada Lovelace'): Promise<Person> {
  const person = { name, email: newEmail(), password: goodPassword };
  await page.goto('/app/sign-up');
  await page.getByLabel('Name').fill(person.name);
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'New code', level: 1 }).waitFor();
  return person;
}

export async function signInByForm(page: Page, person: Person): Promise<void> {
  await page.goto('/app/sign-in');
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Codes', level: 1 }).waitFor();
}

/** The token is in the fragment, and is removed from the address bar at once. */
async function openLink(page: Page, mail: string): Promise<void> {
  const [link] = /https?:\S+#token=\S+/.exec(mail)!;
  await page.goto(link);
  await page.waitForURL(({ href }) => !href.includes('token'));
}

/** Requests another link, opens it, and confirms with a click; then the banner disappears. */
export async function confirmAddress(page: Page, person: Person, mails: SmtpSink): Promise<void> {
  const banner = page.getByText('Confirm your e-mail', { exact: true });
  await banner.waitFor();
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('A new link is on its way').waitFor();
  const mail = await mails.mail(`To: ${person.email}`, 'Confirm your e-mail');
  await openElsewhere(page, mail);
  await openLink(page, mail);
  await page.getByRole('button', { name: 'Confirm e-mail' }).click();
  await page.getByRole('heading', { name: 'E-mail confirmed' }).waitFor();
  await page.getByRole('link', { name: 'Go to your codes' }).click();
  await page.getByRole('heading', { name: 'Codes', level: 1 }).waitFor();
  await banner.waitFor({ state: 'detached' });
}

/** In a browser without a session, the page asks for the password first, and confirms nothing without it. */
async function openElsewhere(page: Page, mail: string): Promise<void> {
  const context = await page.context().browser()!.newContext();
  const phone = await context.newPage();
  await openLink(phone, mail);
  await phone.getByText('If you didn’t create one, ignore the e-mail').waitFor();
  await phone.getByLabel('E-mail').fill('somebody@people.example');
  await phone.getByLabel('Password', { exact: true }).fill('not the password');
  await phone.getByRole('button', { name: 'Sign in and confirm' }).click();
  await phone.getByText('Your address was not confirmed').waitFor();
  await context.close();
}

/** Sets a new password through a mailed link, and revokes the account's one key with it. */
export async function resetByMail(page: Page, person: Person, mails: SmtpSink): Promise<void> {
  const password = 'a whole new password';
  await page.goto('/app/forgot-password');
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await page.getByText('Check your inbox').waitFor();
  await openLink(page, await mails.mail(`To: ${person.email}`, 'Set a new password'));
  await page.getByLabel('New password').fill(password);
  await page.getByLabel('Revoke all API keys too').check();
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('1 API key was revoked').waitFor();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await signInByForm(page, { ...person, password });
}
