import { expect, test } from 'vitest';
import { createPlaceNames, hashPlaceNames, warnOfPlaces } from './place-names.ts';

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

const rule = (name: string, when: object, unless: object = {}) => ({ name, when, unless });

test('a warning names the rule, counted from 1, and the place; exceptions count too', () => {
  const rules = [
    rule('', { country: ['DE'], city: [{ country: 'DE', city: 'Munich' }] }),
    rule('Near', {
      city: [{ country: 'DE', city: 'Munchen' }],
      region: [{ country: 'DE', region: 'Bayern' }],
    }),
    rule('', {}, { city: [{ country: 'DE', region: 'Hesse', city: 'Munich' }] }),
  ];
  const why = 'is in no place file, so no scan has it. Use the name that scans show.';
  expect(warnOfPlaces(rules, names)).toEqual([
    `Rule 2 (Near): the region Bayern in DE ${why}`,
    `Rule 2 (Near): the city Munchen in DE ${why}`,
    `Rule 3: the city Munich in Hesse, DE ${why}`,
  ]);
});

test('the same name is warned of once in a rule, and a long list ends', () => {
  const city = Array.from({ length: 60 }, (_, index) => ({ country: 'DE', city: `None ${index}` }));
  const warnings = warnOfPlaces([rule('', { city: [...city, ...city] })], names);
  expect(warnings).toHaveLength(51);
  expect(warnings.at(-1)).toBe('10 more names are in no place file.');
});
