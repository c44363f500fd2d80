import type { Webhook } from '@signpost/contract';
import { webhooksText } from '../../strings/webhooks.ts';

export type EventKind = Webhook['events'][number];

/** In the order in which the form offers them. */
export const eventKinds = Object.keys(webhooksText.events) as EventKind[];

/** As the page of an endpoint shows it. */
export const eventsInWords = (events: readonly EventKind[]): string =>
  eventKinds
    .filter(kind => events.includes(kind))
    .map(kind => webhooksText.events[kind].label)
    .join(', ');
