import { describe, expect, test } from 'vitest';
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
import { looks, nameOfLook, openWatched } from '../support/dashboard/look.ts';
import { confirmAddress, resetByMail, signUpByForm } from '../support/dashboard/people.ts';
import { setStage } from '../support/dashboard/stage.ts';
import { effort } from '../support/effort.ts';

const onStage = setStage();

/** In CI each width and each scheme once. Of how a page looks, dashboard-pages.e2e.ts sees every look of it. */
const taken = looks.filter((_, at) => at % effort(1, 3) === 0);
const eachLook = taken.map((look, at) => [nameOfLook(look), look, at] as const);

describe('from sign-up to the first scan on screen, and on to the end', () => {
  test.each(eachLook)('%s', async (_, look, at) => {
    const { world, browser, receiver, mails } = onStage();
    const { page, context, faults } = await openWatched(browser, world.url, look);
    const name = `Spring menu ${at}`;
    const person = await signUpByForm(page);
    await confirmAddress(page, person, mails);
    await makeKey(page, world.url);
    const shortUrl = await makeCode(page, name, `spring-${at}`);
    await watchFirstScan(page, world, shortUrl);
    await changeAndUndo(page, shortUrl);
    await downloadImages(page);
    await lookAtAnalytics(page);
    await lookAtAccount(page, world, shortUrl);
    await tryWebhook(page, receiver);
    await visitTestMode(page, world, name, `spring-${at}`);
    await pauseAndDelete(page, world, name, shortUrl);
    await signOut(page);
    await resetByMail(page, person, mails);
    expect(faults).toEqual([]);
    await context.close();
  });
});
