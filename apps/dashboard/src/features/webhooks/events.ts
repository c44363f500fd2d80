import type { Webhook } from '@signpost/contract';

export type EventKind = Webhook['events'][number];

type Texts = { readonly label: string; readonly description: string };

/** What an endpoint can be told, in words, in the order in which the form offers it. */
export const eventTexts: Readonly<Record<EventKind, Texts>> = {
  'scan.created': { label: 'Scans', description: 'Every scan of your codes.' },
  'qrcode.suspended': { label: 'Codes suspended', description: 'A code of yours was suspended for safety.' },
  'qrcode.released': { label: 'Codes released', description: 'A code that was suspended was released.' },
  'account.suspended': {
    label: 'Account suspended',
    description: 'The whole account was suspended for safety.',
  },
  'account.released': { label: 'Account released', description: 'The account was released.' },
};

export const eventKinds = Object.keys(eventTexts) as EventKind[];

/** As the page of an endpoint shows it. */
export const eventsInWords = (events: readonly EventKind[]): string =>
  eventKinds
    .filter(kind => events.includes(kind))
    .map(kind => eventTexts[kind].label)
    .join(', ');
