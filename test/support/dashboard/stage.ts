import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { launchChromium } from '../../../packages/qr/test/support/chromium.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import { type SmtpSink, startSmtpSink } from '../smtp-sink.ts';
import { createDashboardWorld, type DashboardWorld } from './world.ts';

/** The service with its dashboard and mail, a browser, and somebody who takes webhooks. */
export type Stage = {
  readonly world: DashboardWorld;
  readonly browser: Browser;
  readonly receiver: Receiver;
  readonly mails: SmtpSink;
};

/** A stage for the tests of the file that calls this; it stands when the first of them begins. */
export function setStage(): () => Stage {
  let stage: Stage | undefined;
  beforeAll(async () => {
    const mails = await startSmtpSink();
    const [world, browser, receiver] = await Promise.all([
      // The people of the stage sign up without confirming their address.
      createDashboardWorld({ SMTP_URL: mails.url, REQUIRE_VERIFIED_EMAIL: 'off' }),
      launchChromium(),
      startReceiver(),
    ]);
    stage = { world, browser, receiver, mails };
  });
  afterAll(async () => {
    await stage?.browser.close();
    await stage?.receiver.close();
    await stage?.world.close();
    stage?.mails.close();
  });
  return () => stage!;
}
