import { fillOperatorPages, makeOperator, openOwner } from '@signpost/testing/dashboard/abuse.ts';
import { findingsInSchemes } from '@signpost/testing/dashboard/axe.ts';
import { loadDataset } from '@signpost/testing/dashboard/dataset.ts';
import { fillAccount } from '@signpost/testing/dashboard/fill.ts';
import { layoutFaults } from '@signpost/testing/dashboard/layout.ts';
import {
  operatorVisits,
  outsideVisits,
  ownerVisits,
  type Visit,
  walkOverlays,
} from '@signpost/testing/dashboard/overlays.ts';
import { schemes, type Viewport, widths } from '@signpost/testing/dashboard/viewport.ts';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

/** Everything that opens over a page or appears on it: menus, dialogs, calendars, colour pickers, faults on fields, toasts. */

const onStage = loadDataset();

/** A folder for pictures of what is seen on the way. */
const pictures = process.env.OVERLAYS_PICTURES;

async function walk(page: Page, visits: readonly Visit[]): Promise<readonly string[]> {
  const { width } = page.viewportSize()!;
  const found: string[] = [];
  let seen = 0;
  for (const visit of visits)
    await walkOverlays(page, visit, async what => {
      const inTurn = (seen++ + Number(width === 375)) % 2 === 0 ? schemes : schemes.toReversed();
      // In CI each is seen in one scheme, by turns.
      found.push(...(await findingsInSchemes(page, what, process.env.CI ? inTurn.slice(0, 1) : inTurn)));
      found.push(...(await layoutFaults(page)).map(fault => `${what}: ${fault}`));
      if (pictures)
        await page.screenshot({
          path: `${pictures}/${width} ${seen} ${what.replaceAll('/', '_').replace(/[?#].*:/, ':')}.png`,
        });
    });
  return found;
}

/** In CI at the width of a desk only. */
const walked = widths.filter(width => !process.env.CI || width === 1440);

describe.each(walked)('axe finds nothing serious, light or dark, and nothing is cut: %i px', width => {
  const viewport: Viewport = { width, scheme: 'light' };

  test('in all that opens for an owner', async () => {
    const { browser, fixture, receiver } = onStage();
    const { page, context } = await openOwner(browser, fixture, viewport, 'Olive Owner');
    const filled = await fillAccount(page, fixture, receiver);
    expect(await walk(page, ownerVisits(filled))).toEqual([]);
    await context.close();
  });

  test('in all that opens for an operator, and for somebody who is not signed in', async ({ skip }) => {
    skip(process.env.CI !== undefined, 'it takes minutes: npm run test:e2e -- dashboard-overlays');
    const { browser, fixture } = onStage();
    const operator = await openOwner(browser, fixture, viewport, 'Otto Operator');
    const owner = await openOwner(browser, fixture, viewport, 'Olive Owner');
    await makeOperator(fixture, operator.person);
    await fillOperatorPages(operator.page.request, fixture, owner);
    expect(await walk(operator.page, operatorVisits)).toEqual([]);
    await operator.context.clearCookies();
    await operator.page.evaluate('localStorage.clear()');
    expect(await walk(operator.page, outsideVisits)).toEqual([]);
    await operator.context.close();
    await owner.context.close();
  });
});
