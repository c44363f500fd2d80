import type { Page } from 'playwright-core';
import { goodPassword, newEmail } from '../people.ts';

export type Person = { readonly name: string; readonly email: string; readonly password: string };

/** Signs up by the form and ends on the page of a new code. */
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
