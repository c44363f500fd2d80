import type Type from 'typebox';
import {
  AccountReleasedEvent,
  AccountSuspendedEvent,
  QrCodeReleasedEvent,
  QrCodeSuspendedEvent,
  ScanCreatedEvent,
  type WebhookEventKind,
} from './webhooks.ts';

export type WebhookEvent = {
  /** Names the event in generated code. */
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly schema: Type.TSchema;
};

/** Every event that the service sends to webhooks. */
export const webhookEvents: Readonly<Record<WebhookEventKind, WebhookEvent>> = {
  'scan.created': {
    id: 'scanCreated',
    summary: 'A code was scanned',
    description:
      'Sent for every counted scan. A test delivery has the same body, about a scan that never happened, and the header `X-Signpost-Test`.',
    schema: ScanCreatedEvent,
  },
  'qrcode.suspended': {
    id: 'qrCodeSuspended',
    summary: 'A code was suspended',
    description:
      'The code was stopped for safety, and its short link no longer redirects. A code that is suspended for a second reason sends a second event.',
    schema: QrCodeSuspendedEvent,
  },
  'qrcode.released': {
    id: 'qrCodeReleased',
    summary: 'A code was released',
    description:
      'The last suspension of the code was lifted. Its short link works again if the code is active and its account is not suspended.',
    schema: QrCodeReleasedEvent,
  },
  'account.suspended': {
    id: 'accountSuspended',
    summary: 'The account was suspended',
    description:
      'The whole account was stopped for safety, and none of its short links redirects. Its codes send no events of their own. Sent to the live and the test webhooks of the account.',
    schema: AccountSuspendedEvent,
  },
  'account.released': {
    id: 'accountReleased',
    summary: 'The account was released',
    description:
      'The suspension of the account was lifted. Codes that are suspended on their own stay suspended. Sent to the live and the test webhooks of the account.',
    schema: AccountReleasedEvent,
  },
};
