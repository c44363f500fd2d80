import { languages } from '@signpost/contract';
import { callAs, openOwner } from '@signpost/testing/dashboard/abuse.ts';
import { loadDataset } from '@signpost/testing/dashboard/dataset.ts';
import { fillWithLongNames } from '@signpost/testing/dashboard/fill.ts';
import {
  changeAndUndo,
  downloadImages,
  lookAtAnalytics,
  makeCode,
  makeKey,
  pauseAndDelete,
  signOut,
  watchFirstScan,
} from '@signpost/testing/dashboard/journey.ts';
import { chooseLanguage, createTranslator, inLanguage } from '@signpost/testing/dashboard/languages.ts';
import { layoutFaults } from '@signpost/testing/dashboard/layout.ts';
import { signedInPages, signedOutPages } from '@signpost/testing/dashboard/pages.ts';
import { signUpByForm } from '@signpost/testing/dashboard/people.ts';
import { sumOf, watchScripts } from '@signpost/testing/dashboard/transfers.ts';
import { openWatchedPage, type Viewport } from '@signpost/testing/dashboard/viewport.ts';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

/** The dashboard in its languages: whole, of one language alone, and as light as in English. */

const onStage = loadDataset();
const wide: Viewport = { width: 1440, scheme: 'light' };
const others = languages.filter(one => one !== 'en');

/** In CI the language with the longest words, on a phone. */
const taken = process.env.CI ? (['de'] as const) : others;
const sizes = process.env.CI ? [375] : [375, 1440];
const pictures = process.env.PICTURES;

async function settle(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.locator('.mantine-Skeleton-root, [data-busy]').first().waitFor({ state: 'detached' });
}

async function look(page: Page, paths: readonly string[], language: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of paths) {
    await settle(page, path);
    expect(await page.locator('html').getAttribute('lang')).toBe(language);
    for (const width of sizes) {
      await page.setViewportSize({ width, height: width === 375 ? 812 : 900 });
      found.push(...(await layoutFaults(page)).map(fault => `${path}, ${width} px: ${fault}`));
      const name = path.replaceAll(/\W+/g, '-').replace(/-(qr|whk|dsn)_\w+/, '-one');
      if (pictures) await page.screenshot({ path: `${pictures}/${language}${name}-${width}.png` });
    }
  }
  return found;
}

describe.each(taken)('in %s', language => {
  test('no page is cut, on a phone and on a desk', async () => {
    const { browser, fixture, receiver } = onStage();
    const { page, context, faults } = await openOwner(browser, fixture, wide, 'Ada Lovelace');
    const { code, webhook, design } = await fillWithLongNames(page, fixture, receiver);
    await callAs(page.request, fixture.url, 'PATCH', '/account/me', { language });
    await settle(page, '/app/codes');
    await page.locator(`html[lang=${language}]`).waitFor();
    const paths = signedInPages(code, webhook, design).map(({ path }) => path);
    const found = [...(await look(page, paths, language))];
    await context.clearCookies({ name: /session/ });
    const outside = signedOutPages.map(({ path }) => path);
    found.push(...(await look(page, outside, language)));
    expect(found).toEqual([]);
    expect(faults.filter(fault => !/40[013]|status of 40/.test(fault))).toEqual([]);
    await context.close();
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
  await page.getByRole('link', { name: 'Codes' }).first().click();
  await pauseAndDelete(page, fixture, 'Frühling', shortUrl);
  await signOut(page);
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
    await settle(page, '/app/sign-in');
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
