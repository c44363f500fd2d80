import type { SuspensionPublisher } from '../moderation/suspensions/suspension.ts';
import {
  publishAccountReleased,
  publishAccountSuspended,
  publishReleased,
  publishSuspended,
} from '../webhooks/publish-events.ts';

/** Tells owners about suspensions and releases by webhook. */
export const publishByWebhook: SuspensionPublisher = {
  suspended: publishSuspended,
  released: publishReleased,
  accountSuspended: publishAccountSuspended,
  accountReleased: publishAccountReleased,
};
