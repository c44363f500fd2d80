import type { sandboxText as English } from '../sandbox.ts';
import type { Translation } from '../translation.ts';

export const sandboxText: Translation<typeof English> = {
  action: 'Envoyer des scans de test',
  title: 'Envoyer des scans de test',
  what: 'Scannez ce code sans téléphone. Les chiffres et les webhooks suivent en quelques secondes, comme pour de vrais scans.',
  count: 'Scans',
  visitors: 'Par combien de visiteurs',
  tooManyVisitors: 'Au plus autant que de scans',
  device: 'Appareil',
  send: 'Envoyer',
  sent: {
    one: '{count} scan de test de « {name} » envoyé.',
    other: '{count} scans de test de « {name} » envoyés.',
  },
  failed: 'Les scans de test n’ont pas été envoyés',
};
