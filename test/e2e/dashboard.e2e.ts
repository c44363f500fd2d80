import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../../packages/qr/test/support/chromium.ts';
import { seriousFindings } from '../support/dashboard/axe.ts';
import { fillAccount } from '../support/dashboard/fill.ts';
import {
  changeAndUndo,
  downloadImages,
  lookAtAccount,
  lookAtAnalytics,
  makeCode,
  makeKey,
  pauseAndDelete,
  signOut,
  tryWebhook,
  visitTestMode,
  watchFirstScan,
} from '../support/dashboard/journey.ts';
import { walkByTab } from '../support/dashboard/keyboard.ts';
import { type Look, looks, nameOfLook, openWatched } from '../support/dashboard/look.ts';
import { makeManyCodes } from '../support/dashboard/many-codes.ts';
import { signUpByForm } from '../support/dashboard/people.ts';
import { insidePlaces, outsidePlaces, type Place, settle } from '../support/dashboard/places.ts';
import { sumOf, watchScripts } from '../support/dashboard/transfers.ts';
import { createDashboardWorld, type DashboardWorld } from '../support/dashboard/world.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

let world: DashboardWorld;
let browser: Browser;
let receiver: Receiver;

beforeAll(async () => {
  [world, browser, receiver] = await Promise.all([createDashboardWorld(), launchChromium(), startReceiver()]);
});

afterAll(async () => {
  await browser?.close();
  await receiver?.close();
  await world?.close();
});

const eachLook = looks.map((look, at) => [nameOfLook(look), look, at] as const);

describe('from sign-up to the first scan on screen, and on to the end', () => {
  test.each(eachLook)('%s', async (_, look, at) => {
    const { page, context, faults } = await openWatched(browser, world.url, look);
    const name = `Spring menu ${at}`;
    await signUpByForm(page);
    await makeKey(page, world.url);
    const shortUrl = await makeCode(page, name, `spring-${at}`);
    await watchFirstScan(page, world, shortUrl);
    await changeAndUndo(page, shortUrl);
    await downloadImages(page);
    await lookAtAnalytics(page);
    await lookAtAccount(page, world, shortUrl);
    await tryWebhook(page, receiver);
    await visitTestMode(page);
    await pauseAndDelete(page, world, name, shortUrl);
    await signOut(page);
    expect(faults).toEqual([]);
    await context.close();
  });
});

describe('every page', () => {
  /** Who is signed in with a full account, in a window of a look. */
  async function openFilled(look: Look) {
    const watched = await openWatched(browser, world.url, look);
    await signUpByForm(watched.page);
    const { code, webhook } = await fillAccount(watched.page, world, receiver);
    return { ...watched, places: insidePlaces(code, webhook) };
  }

  test.each(eachLook)('axe finds nothing serious or critical: %s', async (_, look) => {
    const { page, context, places, faults } = await openFilled(look);
    const findings: string[] = [];
    const inspect = async (what: string) => {
      findings.push(...(await seriousFindings(page)).map(finding => `${what}: ${finding}`));
    };
    const visit = async (place: Place) => {
      await settle(page, place);
      await inspect(place.path);
    };
    for (const place of places) await visit(place);
    await page.goto('/app/settings/keys');
    await page.getByRole('button', { name: 'New live key' }).click();
    await page.getByRole('dialog').getByLabel('Name').waitFor();
    await inspect('a dialog');
    await page.keyboard.press('Escape');
    await page.getByRole('radiogroup', { name: 'Live or test mode' }).getByText('Test').click();
    for (const place of places.filter(({ path }) => !/qr_|whk_/.test(path))) await visit(place);
    await context.clearCookies();
    for (const place of outsidePlaces) await visit(place);
    expect(findings).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('everything is reached by Tab, and the focus is seen', async () => {
    const { page, context, places } = await openFilled({ width: 1440, scheme: 'light' });
    const lost: Record<string, unknown> = {};
    for (const place of [...places, ...outsidePlaces]) {
      await settle(page, place);
      const walk = await walkByTab(page);
      if (walk.missed.length > 0 || walk.unseen.length > 0) lost[place.path] = walk;
    }
    expect(lost).toEqual({});
    await context.close();
  });
});

describe('weight', () => {
  const wide: Look = { width: 1440, scheme: 'light' };
  const budgetBytes = 250_000;

  test('the first load is at most 250 kB of compressed JavaScript, signed in or not', async () => {
    const { page, context } = await openWatched(browser, world.url, wide);
    const outside = watchScripts(page);
    await settle(page, outsidePlaces[0]!);
    const before = await outside();
    expect(before.every(({ encoding, bytes }) => encoding === 'br' || bytes < 1000)).toBe(true);
    expect(sumOf(before)).toBeLessThan(budgetBytes);
    await signUpByForm(page);
    await context.close();
    const again = await openWatched(browser, world.url, wide);
    const inside = watchScripts(again.page);
    await signUpByForm(again.page);
    // All that was needed from nothing to a signed-in page with a preview, the sign-up included.
    expect(sumOf(await inside())).toBeLessThan(budgetBytes);
    await again.context.close();
  });

  test('10,000 codes are listed, searched and paged through without a wait that one would notice', async () => {
    const { page, context, faults } = await openWatched(browser, world.url, wide);
    await signUpByForm(page);
    await makeManyCodes(page, world.url, 10_000);
    await page.getByRole('radiogroup', { name: 'Live or test mode' }).getByText('Test').click();
    await settle(page, { path: '/app/codes', heading: 'Codes' });
    await page.getByText('10,000 codes').waitFor();
    const rows = page.getByRole('row').filter({ has: page.getByRole('link') });
    expect(await rows.count()).toBe(25);
    const timed = async (name: string, act: () => Promise<void>) => {
      const start = performance.now();
      await act();
      await page.getByRole('link', { name }).waitFor();
      return performance.now() - start;
    };
    const waits = [
      await timed('Table 00001', () => page.getByRole('button', { name: 'Page 400 of the codes' }).click()),
      await timed('Table 07777', () => page.getByLabel('Search codes').fill('07777')),
      await timed('Table 10000', () => page.getByLabel('Search codes').fill('')),
    ];
    expect(Math.max(...waits)).toBeLessThan(2_000);
    // However many codes there are, the page holds one page of them.
    expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(3_000);
    expect(faults).toEqual([]);
    await context.close();
  });
});
