import { loadDataset } from '@signpost/testing/dashboard/dataset.ts';
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
} from '@signpost/testing/dashboard/journey.ts';
import { confirmAddress, resetByMail, signUpByForm } from '@signpost/testing/dashboard/people.ts';
import { openWatchedPage, viewportName, viewports } from '@signpost/testing/dashboard/viewport.ts';
import { describe, expect, test } from 'vitest';

const onStage = loadDataset();

/** In CI a phone in the dark. Of how a page looks, dashboard-pages.e2e.ts sees every look of it. */
const taken = process.env.CI ? viewports.slice(-1) : viewports;
const eachLook = taken.map((viewport, at) => [viewportName(viewport), viewport, at] as const);

describe('from sign-up to the first scan on screen, and on to the end', () => {
  test.each(eachLook)('%s', async (_, viewport, at) => {
    const { fixture, browser, receiver, mails } = onStage();
    const { page, context, faults } = await openWatchedPage(browser, fixture.url, viewport);
    const name = `Spring menu ${at}`;
    const person = await signUpByForm(page);
    await confirmAddress(page, person, mails);
    await makeKey(page, fixture.url);
    const shortUrl = await makeCode(page, name, `spring-${at}`);
    await watchFirstScan(page, fixture, shortUrl);
    await changeAndUndo(page, shortUrl);
    await downloadImages(page);
    await lookAtAnalytics(page);
    await lookAtAccount(page, fixture, shortUrl);
    await tryWebhook(page, receiver);
    await visitTestMode(page, fixture, name, `spring-${at}`);
    await pauseAndDelete(page, fixture, name, shortUrl);
    await signOut(page);
    await resetByMail(page, person, mails);
    expect(faults).toEqual([]);
    await context.close();
  });
});
