import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { launchChromium } from '../../../packages/qr/test/support/chromium.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import { createDashboardWorld, type DashboardWorld } from './world.ts';

/** The service with its dashboard, a browser, and somebody who takes webhooks. */
export type Stage = {
  readonly world: DashboardWorld;
  readonly browser: Browser;
  readonly receiver: Receiver;
};

/** A stage for the tests of the file that calls this; it stands when the first of them begins. */
export function setStage(): () => Stage {
  let stage: Stage | undefined;
  beforeAll(async () => {
    const [world, browser, receiver] = await Promise.all([
      createDashboardWorld(),
      launchChromium(),
      startReceiver(),
    ]);
    stage = { world, browser, receiver };
  });
  afterAll(async () => {
    await stage?.browser.close();
    await stage?.receiver.close();
    await stage?.world.close();
  });
  return () => stage!;
}
