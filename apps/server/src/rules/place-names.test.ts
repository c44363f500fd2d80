import { expect, test } from 'vitest';
import { createPlaceNames, hashPlaceNames } from './place-names.ts';

const hashes = await hashPlaceNames(async visit => {
  visit({ country: 'DE', region: 'Bavaria', city: 'Munich' });
  visit({ country: 'DE', region: 'Bavaria', city: 'Fürth' });
  visit({ country: 'DE', region: 'Hesse', city: 'Frankfurt' });
  visit({ country: 'DE', region: 'Brandenburg', city: 'Frankfurt' });
  visit({ country: 'SG', region: '', city: 'Singapore' });
  visit({ country: 'FR', region: 'Brittany', city: '' });
});
const names = createPlaceNames(hashes);

test.each([
  { country: 'DE', region: 'Bavaria' },
  { country: 'DE', region: 'BAVARIA' },
  { country: 'FR', region: 'Brittany' },
  { country: 'DE', city: 'munich' },
  { country: 'DE', city: 'FÜRTH' },
  { country: 'DE', city: 'Frankfurt' },
  { country: 'DE', region: 'hesse', city: 'frankfurt' },
  { country: 'DE', region: 'Brandenburg', city: 'Frankfurt' },
  { country: 'SG', city: 'Singapore' },
  { country: 'SG', region: '', city: 'Singapore' },
])('$country $region $city is a place of the file, without regard to case', place => {
  expect(names.has(place)).toBe(true);
});

test.each([
  { country: 'DE', city: 'München' },
  { country: 'AT', city: 'Munich' },
  { country: 'DE', city: 'Bavaria' },
  { country: 'DE', region: 'Munich' },
  { country: 'FR', region: 'Bavaria' },
  { country: 'DE', region: 'Bavaria', city: 'Frankfurt' },
  { country: 'DE', region: 'Bavaria', city: '' },
  { country: 'SG', region: '' },
  { country: '', region: '', city: '' },
])('$country $region $city is none', place => {
  expect(names.has(place)).toBe(false);
});
