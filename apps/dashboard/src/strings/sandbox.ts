import { fill } from './fill.ts';

/** Every text about test scans. */
export const sandboxText = {
  action: 'Send test scans',
  title: 'Send test scans',
  what: 'Scan this code without a phone. Figures and webhooks follow within seconds, as with real scans.',
  count: 'Scans',
  visitors: 'By how many visitors',
  tooManyVisitors: 'At most as many as scans',
  device: 'Device',
  send: 'Send',
  sent: (count: number, name: string) =>
    fill(
      { one: '{count} test scan of “{name}” sent.', other: '{count} test scans of “{name}” sent.' },
      { count, name },
    ),
  failed: 'The test scans were not sent',
} as const;
