import { loadDataset } from '@signpost/testing/dashboard/dataset.ts';
import {
  changeAndUndo,
  lookAtAnalytics,
  makeCode,
  makeKey,
  signOut,
  tryWebhook,
  watchFirstScan,
} from '@signpost/testing/dashboard/journey.ts';
import { confirmAddress, signUpByForm } from '@signpost/testing/dashboard/people.ts';
import { openWatchedPage, viewports } from '@signpost/testing/dashboard/viewport.ts';
import { expect, test } from 'vitest';

const onStage = loadDataset('solo');

test('in one process with PostgreSQL alone: from sign-up to the first scan on screen, its analytics and its webhook', async () => {
  const { fixture, browser, receiver, mails } = onStage();
  const { page, context, faults } = await openWatchedPage(browser, fixture.url, viewports[0]!);
  const person = await signUpByForm(page);
  await confirmAddress(page, person, mails);
  await makeKey(page, fixture.url);
  const shortUrl = await makeCode(page, 'Spring menu', 'spring-solo');
  await watchFirstScan(page, fixture, shortUrl);
  await changeAndUndo(page, shortUrl);
  await lookAtAnalytics(page);
  await tryWebhook(page, receiver);
  await signOut(page);
  expect(faults).toEqual([]);
  await context.close();
});
