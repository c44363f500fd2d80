import { callAs } from '@signpost/testing/dashboard/abuse.ts';
import { seriousFindings } from '@signpost/testing/dashboard/axe.ts';
import { loadDataset } from '@signpost/testing/dashboard/dataset.ts';
import { type Person, signUpByForm } from '@signpost/testing/dashboard/people.ts';
import { openWatchedPage, type Viewport, type WatchedPage } from '@signpost/testing/dashboard/viewport.ts';
import { goodPassword, newEmail } from '@signpost/testing/people.ts';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

const onStage = loadDataset();
const desk: Viewport = { width: 1280, scheme: 'light' };
const phone: Viewport = { width: 375, scheme: 'dark' };

type Call = (method: 'GET' | 'POST' | 'PATCH', path: string, data?: object) => ReturnType<typeof callAs>;
type Visit = WatchedPage & { readonly person: Person; readonly call: Call };

async function openAsPerson(viewport: Viewport): Promise<Visit> {
  const { fixture, browser } = onStage();
  const watched = await openWatchedPage(browser, fixture.url, viewport);
  const person = await signUpByForm(watched.page);
  return { ...watched, person, call: (...args) => callAs(watched.page.request, fixture.url, ...args) };
}

/** Ends every session of a person from another device, as "Sign out other devices" does there. */
async function endSessions({ email, password }: Person): Promise<void> {
  const { fixture, browser } = onStage();
  const device = await browser.newContext({ baseURL: fixture.url });
  await callAs(device.request, fixture.url, 'POST', '/auth/sign-in', { email, password });
  await callAs(device.request, fixture.url, 'POST', '/auth/sessions/revoke-others');
  await device.close();
}

const signIn = (page: Page) => page.getByRole('dialog', { name: 'Sign in to continue' });

async function enter(page: Page, password: string): Promise<void> {
  await signIn(page).getByLabel('Password', { exact: true }).fill(password);
  await signIn(page).getByRole('button', { name: 'Sign in' }).click();
}

const newCode = { name: 'Menu', destination_url: 'https://menu.example/evening' };
const names = async (call: Call) =>
  (await call('GET', '/account/v1/qrcodes')).data.map(({ name }: { name: string }) => name).sort();

type Place = {
  /** Opens the page, and types there. Returns what carries it out. */
  readonly type: (visit: Visit) => Promise<() => Promise<void>>;
  /** What the server has once it was carried out. */
  readonly result: (call: Call) => Promise<unknown>;
  readonly wanted: unknown;
  /** The request that is refused first, and sent once more. */
  readonly request: RegExp;
};

const places: Readonly<Record<string, Place>> = {
  'a new code': {
    async type({ page }) {
      await page.getByLabel('Name').fill('Poster');
      await page.getByLabel('Destination').fill('menu.example/poster');
      return () => page.getByRole('button', { name: 'Create code' }).click();
    },
    result: names,
    wanted: ['Poster'],
    request: /^POST .*\/v1\/qrcodes$/,
  },
  rules: {
    async type({ page, call }) {
      const { id } = await call('POST', '/account/v1/qrcodes', newCode);
      await page.goto(`/app/codes/${id}/rules`);
      await page.getByRole('button', { name: 'Add rule' }).click();
      await page.getByRole('menuitem', { name: 'Opening hours' }).click();
      await page.getByRole('textbox', { name: 'Destination 1', exact: true }).fill('menu.example/lunch');
      return () => page.getByRole('button', { name: 'Save rules' }).click();
    },
    async result(call) {
      const [{ id }] = (await call('GET', '/account/v1/qrcodes')).data;
      const { rules } = await call('GET', `/account/v1/qrcodes/${id}`);
      return rules.map(({ to }: { to: { url: string }[] }) => to[0]!.url);
    },
    wanted: ['https://menu.example/lunch'],
    request: /^PATCH .*\/v1\/qrcodes\/qr_\w+$/,
  },
  'an import': {
    async type({ page }) {
      await page.goto('/app/codes/import');
      await page.locator('input[type=file]').setInputFiles({
        name: 'tables.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(
          'Name,Destination\nTable 1,https://menu.example/1\nTable 2,https://menu.example/2',
        ),
      });
      await page.getByRole('textbox', { name: 'Name, row 2', exact: true }).fill('Terrace');
      return () => page.getByRole('button', { name: 'Create 2 codes' }).click();
    },
    result: names,
    wanted: ['Table 1', 'Terrace'],
    request: /^POST .*\/v1\/qrcodes\/bulk .*dry_run/,
  },
  'a change of many codes': {
    async type({ page, call }) {
      for (const name of ['One', 'Two']) await call('POST', '/account/v1/qrcodes', { ...newCode, name });
      await page.goto('/app/codes');
      for (const name of ['One', 'Two'])
        await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check();
      const bar = page.getByRole('region', { name: 'Selected codes' });
      await bar.getByRole('button', { name: 'More actions for the selected codes' }).click();
      await page.getByRole('menuitem', { name: 'Change destination' }).click();
      const dialog = page.getByRole('dialog', { name: /destination/i });
      await dialog.getByLabel('Destination').fill('menu.example/winter');
      return () => dialog.getByRole('button', { name: /2 codes/ }).click();
    },
    result: async call =>
      (await call('GET', '/account/v1/qrcodes')).data.map((code: typeof newCode) => code.destination_url),
    wanted: ['https://menu.example/winter', 'https://menu.example/winter'],
    request: /^PATCH .*\/v1\/qrcodes\/bulk /,
  },
  'a design': {
    async type({ page }) {
      await page.goto('/app/designs/new');
      await page.getByLabel('Name').fill('Autumn');
      await page.getByRole('radio', { name: 'Rounded' }).first().click();
      return () => page.getByRole('button', { name: 'Save design' }).first().click();
    },
    result: async call =>
      (await call('GET', '/account/v1/designs')).data.map(({ name, style }: Record<string, object>) => [
        name,
        style,
      ]),
    wanted: [['Autumn', expect.objectContaining({ dotsType: 'rounded' })]],
    request: /^POST .*\/v1\/designs /,
  },
};

test.each(Object.entries(places))(
  'a session that ends in %s: after a sign-in over the page it is saved as it was typed',
  async (_, { type, result, wanted, request }) => {
    const visit = await openAsPerson(desk);
    const { page, context, faults, person, call } = visit;
    const act = await type(visit);
    const answers: number[] = [];
    page.on('response', response => {
      const asked = response.request();
      const what = `${asked.method()} ${new URL(asked.url()).pathname}`;
      if (request.test(what) || request.test(`${what} ${asked.postData()}`)) answers.push(response.status());
    });
    await endSessions(person);
    await act();
    await signIn(page).waitFor();
    expect(await signIn(page).getByLabel('E-mail').inputValue()).toBe(person.email);
    await page.keyboard.press('Escape');
    // What is refused is said there, and the person tries again.
    await enter(page, 'not the password');
    await signIn(page).getByText('Wrong e-mail or password').waitFor();
    expect(answers).toEqual([401]);
    await enter(page, person.password);
    await signIn(page).waitFor({ state: 'detached' });
    await expect.poll(() => result(call), { timeout: 10_000 }).toEqual(wanted);
    await expect.poll(() => answers.map(status => status < 300), { timeout: 10_000 }).toEqual([false, true]);
    expect(faults.filter(fault => !/401/.test(fault))).toEqual([]);
    await context.close();
  },
);

test('a session that ends on a phone: the dialog fits, is accessible, and goes once another tab has signed in', async () => {
  const { page, context, faults, person, call } = await openAsPerson(phone);
  await page.getByLabel('Name').fill('Poster');
  await page.getByLabel('Destination').fill('menu.example/poster');
  await endSessions(person);
  await page.getByRole('button', { name: 'Create code' }).last().click();
  await signIn(page).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  const { email, password } = person;
  await call('POST', '/auth/sign-in', { email, password });
  await page.evaluate("window.dispatchEvent(new Event('focus'))");
  await signIn(page).waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Poster', level: 1 }).waitFor();
  expect(faults.filter(fault => !/401/.test(fault))).toEqual([]);
  await context.close();
});

test('what stands in the way of a sign-in is said in the dialog, in the words of the server', async () => {
  const { page, context, person } = await openAsPerson(desk);
  await page.getByLabel('Name').fill('Poster');
  await page.getByLabel('Destination').fill('menu.example/poster');
  await endSessions(person);
  await page.getByRole('button', { name: 'Create code' }).first().click();
  const message = 'This sign-in has expired. Start again.';
  await page.route('**/auth/sign-in', route =>
    route.fulfill({ status: 403, json: { error: { code: 'forbidden', message } } }),
  );
  await enter(page, person.password);
  await signIn(page).getByText(message).waitFor();
  expect(await page.getByLabel('Name').first().inputValue()).toBe('Poster');
  await context.close();
});

test('another person who signs in over a page gets a page of their own, and nothing of what was typed is sent for them', async () => {
  const { fixture, browser } = onStage();
  const { page, context, person, call } = await openAsPerson(desk);
  const other = { name: 'Grace Hopper', email: newEmail(), password: goodPassword };
  const device = await browser.newContext({ baseURL: fixture.url });
  await callAs(device.request, fixture.url, 'POST', '/auth/sign-up', other);
  await page.getByLabel('Name').fill('Poster');
  await page.getByLabel('Destination').fill('menu.example/poster');
  await endSessions(person);
  await page.getByRole('button', { name: 'Create code' }).first().click();
  await signIn(page).getByLabel('E-mail').fill(other.email);
  const loaded = page.waitForEvent('load');
  await enter(page, other.password);
  await loaded;
  await page.getByRole('heading', { name: 'New code', level: 1 }).waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('');
  expect((await call('GET', '/account/me')).user.email).toBe(other.email);
  expect(await names(call)).toEqual([]);
  await device.close();
  await context.close();
});
