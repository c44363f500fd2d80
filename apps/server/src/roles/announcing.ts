import type { SuspensionAnnouncer } from '../suspensions/suspension.ts';
import {
  announceAccountReleased,
  announceAccountSuspended,
  announceReleased,
  announceSuspended,
} from '../webhooks/announce-events.ts';

/** Owners hear of what is stopped and released by webhook. */
export const byWebhook: SuspensionAnnouncer = {
  suspended: announceSuspended,
  released: announceReleased,
  accountSuspended: announceAccountSuspended,
  accountReleased: announceAccountReleased,
};
