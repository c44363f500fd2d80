import { expect, test } from 'vitest';
import { viewerPlace } from './viewer.ts';

test('the simulator begins where the viewer is', () => {
  expect(viewerPlace('da')).toEqual({ country: 'DK', language: 'da' });
  expect(viewerPlace('fr-CA')).toEqual({ country: 'CA', language: 'fr' });
  expect(viewerPlace('es-419')).toEqual({ country: 'XX', language: 'es' });
});

test.each(['', 'C', 'en-US@posix', 'de_DE'])('a browser whose language is %j begins in English', language => {
  expect(viewerPlace(language)).toEqual({ country: 'US', language: 'en' });
});
