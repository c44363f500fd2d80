import type { sandboxText as English } from '../sandbox.ts';
import type { Translation } from '../translation.ts';

export const sandboxText: Translation<typeof English> = {
  action: 'Test-Scans senden',
  title: 'Test-Scans senden',
  what: 'Scannen Sie diesen Code ohne Telefon. Zahlen und Webhooks folgen in Sekunden, wie bei echten Scans.',
  count: 'Scans',
  visitors: 'Von wie vielen Besuchern',
  tooManyVisitors: 'Höchstens so viele wie Scans',
  device: 'Gerät',
  send: 'Senden',
  sent: {
    one: '{count} Test-Scan von „{name}“ gesendet.',
    other: '{count} Test-Scans von „{name}“ gesendet.',
  },
  failed: 'Die Test-Scans wurden nicht gesendet',
};
