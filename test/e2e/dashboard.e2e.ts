import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../../packages/qr/test/support/chromium.ts';
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
import { signUpByForm } from '../support/dashboard/people.ts';
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

describe('from sign-up to the first scan on screen, and to the end', () => {
  test.each(looks.map((look, at) => [nameOfLook(look), look, at] as const))('%s', async (_, look, at) => {
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
