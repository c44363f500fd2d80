import { expect, test } from 'vitest';
import { viewerPlace } from './viewer.ts';

test('the simulator begins where the viewer is', () => {
  expect(viewerPlace('da')).toEqual({ country: 'DK', language: 'da' });
  expect(viewerPlace('fr-CA')).toEqual({ country: 'CA', language: 'fr' });
  expect(viewerPlace('es-419')).toEqual({ country: 'XX', language: 'es' });
});
