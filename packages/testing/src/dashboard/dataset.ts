import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { launchChromium } from '../chromium.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import { type SmtpSink, startSmtpSink } from '../smtp-sink.ts';
import { createDashboardFixture, type DashboardFixture } from './fixture.ts';

/** The service with its dashboard and mail, a browser, and a receiver of webhooks. */
export type Dataset = {
  readonly fixture: DashboardFixture;
  readonly browser: Browser;
  readonly receiver: Receiver;
  readonly mails: SmtpSink;
};

/** Starts everything before the first test of the calling file, and stops it after the last. */
export function loadDataset(role: 'all' | 'solo' = 'all'): () => Dataset {
  let dataset: Dataset | undefined;
  beforeAll(async () => {
    const mails = await startSmtpSink();
    const [fixture, browser, receiver] = await Promise.all([
      // People sign up in these tests without confirming their address.
      createDashboardFixture({ SMTP_URL: mails.url, REQUIRE_VERIFIED_EMAIL: 'off' }, undefined, role),
      launchChromium(),
      startReceiver(),
    ]);
    dataset = { fixture, browser, receiver, mails };
  });
  afterAll(async () => {
    await dataset?.browser.close();
    await dataset?.receiver.close();
    await dataset?.fixture.close();
    dataset?.mails.close();
  });
  return () => dataset!;
}
