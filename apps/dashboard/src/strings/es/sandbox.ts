import type { sandboxText as English } from '../sandbox.ts';
import type { Translation } from '../translation.ts';

export const sandboxText: Translation<typeof English> = {
  action: 'Enviar escaneos de prueba',
  title: 'Enviar escaneos de prueba',
  what: 'Escanee este código sin teléfono. Las cifras y los webhooks llegan en segundos, como con escaneos reales.',
  count: 'Escaneos',
  visitors: 'De cuántos visitantes',
  tooManyVisitors: 'Como máximo, tantos como escaneos',
  device: 'Dispositivo',
  send: 'Enviar',
  sent: {
    one: '{count} escaneo de prueba de «{name}» enviado.',
    other: '{count} escaneos de prueba de «{name}» enviados.',
  },
  failed: 'Los escaneos de prueba no se enviaron',
};
