import { languages } from '@signpost/contract';
import { callAs } from '@signpost/testing/dashboard/abuse.ts';
import { loadDataset } from '@signpost/testing/dashboard/dataset.ts';
import {
  changeAndUndo,
  downloadImages,
  lookAtAnalytics,
  makeCode,
  makeKey,
  pauseAndDelete,
  printSheet,
  signOut,
  watchFirstScan,
} from '@signpost/testing/dashboard/journey.ts';
import { chooseLanguage, createTranslator, inLanguage } from '@signpost/testing/dashboard/languages.ts';
import {
  walkEmptyPages,
  walkOperatorPages,
  walkOwnerPages,
  walkPagesOutside,
} from '@signpost/testing/dashboard/matrix.ts';
import { openPage, signedOutPages } from '@signpost/testing/dashboard/pages.ts';
import { signInByForm, signUpByForm } from '@signpost/testing/dashboard/people.ts';
import { sumOf, watchScripts } from '@signpost/testing/dashboard/transfers.ts';
import { openWatchedPage, type Viewport } from '@signpost/testing/dashboard/viewport.ts';
import { describe, expect, test } from 'vitest';

/** The dashboard in its languages: whole, of one language alone, and as light as in English. */

const onStage = loadDataset();
const wide: Viewport = { width: 1440, scheme: 'light' };
const others = languages.filter(one => one !== 'en');

/** In CI dashboard-matrix.e2e.ts looks at every page in German. */
const sizes: readonly Viewport[] = [{ width: 375, scheme: 'dark' }, wide];

describe.skipIf(process.env.CI).each(others)('in %s, no page is cut, on a phone and on a desk', language => {
  test('an owner’s pages, full of long names', async () => {
    expect(await walkOwnerPages(onStage(), language, sizes)).toEqual([]);
  });

  test('an owner’s pages in test mode, where nothing is yet', async () => {
    expect(await walkEmptyPages(onStage(), language, sizes)).toEqual([]);
  });

  test('an operator’s pages', async () => {
    expect(await walkOperatorPages(onStage(), language, sizes)).toEqual([]);
  });

  test('the pages of somebody who is not signed in', async () => {
    expect(await walkPagesOutside(onStage(), language, sizes)).toEqual([]);
  });
});

test('an owner’s journey in German', async () => {
  const { browser, fixture, mails } = onStage();
  const { page: german, context, faults } = await openWatchedPage(browser, fixture.url, wide);
  await chooseLanguage(context, fixture.url, 'de');
  const page = inLanguage(german, await createTranslator('de'));
  const person = await signUpByForm(page);
  const me = await (await page.request.get('/account/me')).json();
  expect(me.language).toBe('de');
  const mail = await mails.mail(`To: ${person.email}`, 'Wenn Sie dieses Konto nicht erstellt haben');
  const token = /verify-email#token=(\S+)/.exec(mail)![1]!;
  await callAs(page.request, fixture.url, 'POST', '/auth/verify-email', { token });
  await german.reload();
  await makeKey(page, fixture.url);
  const shortUrl = await makeCode(page, 'Frühling', 'fruehling');
  await watchFirstScan(page, fixture, shortUrl);
  await changeAndUndo(page, shortUrl);
  await downloadImages(page);
  await lookAtAnalytics(page);
  await printSheet(page);
  await page.getByRole('link', { name: 'Codes' }).first().click();
  await pauseAndDelete(page, fixture, 'Frühling', shortUrl);
  await signOut(page);
  await signInByForm(page, person);
  expect(faults).toEqual([]);
  await context.close();
});

test('a refusal of the server is said in the language of the dashboard', async () => {
  const { browser, fixture } = onStage();
  const { page, context } = await openWatchedPage(browser, fixture.url, wide);
  await chooseLanguage(context, fixture.url, 'fr');
  await page.goto('/app/sign-in');
  await page.getByLabel('E-mail').fill('nobody@people.example');
  await page.getByLabel('Mot de passe', { exact: true }).fill('not the password');
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await page.getByText('E-mail ou mot de passe incorrect.').waitFor();
  await page.getByRole('button', { name: 'Español' }).click();
  await page.getByRole('heading', { name: 'Iniciar sesión' }).waitFor();
  await context.close();
});

test('another language weighs at most 5 kB more than English, and only one is loaded', async () => {
  const { browser, fixture } = onStage();
  const weigh = async (language: (typeof languages)[number]) => {
    const { page, context } = await openWatchedPage(browser, fixture.url, wide);
    await chooseLanguage(context, fixture.url, language);
    const scripts = watchScripts(page);
    await openPage(inLanguage(page, await createTranslator(language)), signedOutPages[0]!);
    const loaded = await scripts();
    const sources = await Promise.all(loaded.map(async ({ url }) => await (await fetch(url)).text()));
    await context.close();
    return { bytes: sumOf(loaded), text: sources.join('\n') };
  };
  const english = await weigh('en');
  expect(english.text).toContain('Avoid common passwords');
  for (const language of others) {
    const other = await weigh(language);
    expect(other.bytes - english.bytes).toBeLessThan(5_000);
    expect(other.text).not.toContain('Avoid common passwords');
  }
});
