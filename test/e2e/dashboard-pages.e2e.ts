import { describe, expect, test } from 'vitest';
import { sql } from '../../apps/server/src/platform/postgres.ts';
import { promisedMs } from '../support/bare-server.ts';
import {
  callAs,
  fillDesk,
  holdAccountOf,
  makeOperator,
  openOwner,
  operatorPlaces,
} from '../support/dashboard/abuse.ts';
import { seriousFindings } from '../support/dashboard/axe.ts';
import { fillAccount } from '../support/dashboard/fill.ts';
import { walkByTab } from '../support/dashboard/keyboard.ts';
import { type Look, openWatched, schemes, widths } from '../support/dashboard/look.ts';
import { makeManyCodes } from '../support/dashboard/many-codes.ts';
import { signUpByForm } from '../support/dashboard/people.ts';
import { insidePlaces, outsidePlaces, overlays, type Place, settle } from '../support/dashboard/places.ts';
import { setStage } from '../support/dashboard/stage.ts';
import { sumOf, watchScripts } from '../support/dashboard/transfers.ts';

const onStage = setStage();

/** In CI each width in one scheme. */
const schemesAt = (width: number) =>
  process.env.CI ? schemes.filter(scheme => (scheme === 'dark') === (width === 375)) : schemes;

describe('every page', () => {
  /** Who is signed in with a full account, in a window of a look. */
  async function openFilled(look: Look) {
    const { browser, world, receiver } = onStage();
    const watched = await openWatched(browser, world.url, look);
    const person = await signUpByForm(watched.page);
    const { code, webhook } = await fillAccount(watched.page, world, receiver);
    return { ...watched, person, places: insidePlaces(code, webhook), over: overlays(code, webhook) };
  }

  test.each(widths)('axe finds nothing serious or critical, light or dark: %i px', async width => {
    const { page, context, places, over, faults } = await openFilled({ width, scheme: 'light' });
    const findings: string[] = [];
    const inspect = async (what: string) => {
      for (const colorScheme of schemesAt(width)) {
        await page.emulateMedia({ colorScheme });
        await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
        findings.push(...(await seriousFindings(page)).map(finding => `${what}, ${colorScheme}: ${finding}`));
      }
    };
    const visit = async (place: Place) => {
      await settle(page, place);
      await inspect(place.path);
    };
    for (const place of places) await visit(place);
    for (const { what, place, open } of over) {
      await settle(page, place);
      await open(page);
      await page.getByRole('dialog').waitFor();
      await page.locator('[data-busy]').first().waitFor({ state: 'detached' });
      await inspect(what);
      await page.keyboard.press('Escape');
    }
    await page.getByRole('radiogroup', { name: 'Live or test mode' }).getByText('Test').click();
    for (const place of places.filter(({ path }) => !/qr_|whk_/.test(path))) await visit(place);
    await context.clearCookies();
    for (const place of outsidePlaces) await visit(place);
    expect(findings).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });

  test.each(widths)(
    'axe finds nothing on the pages of operators and of suspended owners: %i px',
    async width => {
      const { browser, world } = onStage();
      const look = { width, scheme: 'light' } as const;
      const operator = await openOwner(browser, world, look, 'Olga Operator');
      const owner = await openOwner(browser, world, look, `Olive Owner ${width}`);
      await makeOperator(world, operator.person);
      const findings: string[] = [];
      const inspect = async ({ page }: typeof operator, what: string) => {
        for (const colorScheme of schemesAt(width)) {
          await page.emulateMedia({ colorScheme });
          await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
          findings.push(
            ...(await seriousFindings(page)).map(finding => `${what}, ${colorScheme}: ${finding}`),
          );
        }
      };
      const visit = async (person: typeof operator, place: Place, what = '') => {
        await settle(person.page, place);
        await inspect(person, `${place.path} ${what}`);
      };
      for (const place of operatorPlaces) await visit(operator, place, 'before anything happened');
      const { places, stopped } = await fillDesk(operator.page.request, world, owner);
      for (const place of places) await visit(operator, place);
      const over = [
        ['/app/operator/reports', 'Reports', 'Suspend account'],
        ['/app/operator/reports', 'Reports', 'Block host'],
        ['/app/operator/suspensions', 'Suspensions', /^Release /],
        ['/app/operator/blocked-hosts', 'Blocked hosts', /^Unblock /],
      ] as const;
      for (const [path, heading, name] of over) {
        await settle(operator.page, { path, heading });
        await operator.page.getByRole('button', { name }).first().click();
        await operator.page.getByRole('dialog').waitFor();
        await inspect(operator, `${path}: ${name}`);
      }

      const codes = { path: '/app/codes', heading: 'Codes' };
      const keys = { path: '/app/settings/keys', heading: 'API keys' };
      await visit(owner, { path: `/app/codes/${stopped.id}`, heading: stopped.name }, 'stopped');
      await visit(owner, { path: '/app/operator/reports', heading: 'For operators' });
      await holdAccountOf(world, owner);
      for (const place of [codes, keys]) await visit(owner, place, 'held');
      const { account } = await callAs(owner.page.request, world.url, 'GET', '/account/me');
      await callAs(operator.page.request, world.url, 'POST', '/account/operator/suspensions', {
        id: account.id,
        reason: 'The destination offers harmful software.',
      });
      for (const place of [codes, keys]) await visit(owner, place, 'suspended');
      await owner.page.getByRole('button', { name: 'Appeal' }).click();
      await owner.page.getByRole('dialog').waitFor();
      await inspect(owner, 'an appeal');
      expect(findings).toEqual([]);
      expect([...operator.faults, ...owner.faults]).toEqual([]);
      await operator.context.close();
      await owner.context.close();
    },
  );

  test('everything is reached by Tab, and the focus is seen', async () => {
    const { page, context, person, places } = await openFilled({ width: 1440, scheme: 'light' });
    await makeOperator(onStage().world, person);
    const lost: Record<string, unknown> = {};
    // There is an operator by now, so nobody sets the server up.
    const outside = outsidePlaces.filter(({ path }) => path !== '/app/first-operator');
    for (const place of [...places, ...operatorPlaces, ...outside]) {
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
    const { browser, world } = onStage();
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
    const { browser, world } = onStage();
    const { page, context, faults } = await openWatched(browser, world.url, wide);
    await signUpByForm(page);
    await page.getByRole('radiogroup', { name: 'Live or test mode' }).getByText('Test').click();
    const rows = page.getByRole('row').filter({ has: page.getByRole('link') });
    const timed = async (name: string, act: () => Promise<void>) => {
      const start = performance.now();
      await act();
      await page.getByRole('link', { name }).waitFor();
      return performance.now() - start;
    };
    /** To the last page, to one code by its name, and back to all. */
    const longestWait = async (codes: number) => {
      await settle(page, { path: '/app/codes', heading: 'Codes' });
      await page.getByText(`${codes.toLocaleString('en')} codes`).waitFor();
      expect(await rows.count()).toBe(25);
      const search = page.getByLabel('Search codes');
      return Math.max(
        await timed('Table 00001', () =>
          page.getByRole('button', { name: `Page ${codes / 25} of the codes` }).click(),
        ),
        await timed('Table 00077', () => search.fill('00077')),
        await timed(`Table ${String(codes).padStart(5, '0')}`, () => search.fill('')),
      );
    };
    // Nobody makes so many by hand in a minute.
    await world.world.db.query(
      sql('no-creation-limit', `update plans set creations_per_minute = null where name = 'business'`),
    );
    await makeManyCodes(page, world.url, 1, 500);
    const few = await longestWait(500);
    await makeManyCodes(page, world.url, 501, 10_000);
    const many = await longestWait(10_000);
    console.log(`dashboard longest_wait_ms ${many.toFixed(0)} with_500_codes ${few.toFixed(0)}`);
    expect(many).toBeLessThan(promisedMs(2_000, few));
    // However many codes there are, the page holds one page of them.
    expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(3_000);
    expect(faults).toEqual([]);
    await context.close();
  });
});
