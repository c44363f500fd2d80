import { expect, test } from 'vitest';
import type { Place } from './place-names.ts';
import { warningInWords, warnOfRules } from './warnings.ts';

const known = ['Munich', 'Bavaria'];
const places = { has: ({ city, region }: Place) => known.includes((city ?? region)!) };
const rule = (name: string, when: object, unless: object = {}, active = true) => ({
  name,
  when,
  unless,
  active,
});
const warn = (...rules: ReturnType<typeof rule>[]) =>
  warnOfRules(rules, { placements: ['till'], places }).map(warning => warningInWords(warning, rules));

test('a warning names the rule, counted from 1, and the place; exceptions count too', () => {
  const why = 'is in no place file, so no scan has it. Use the name that scans show.';
  const warnings = warn(
    rule('', { country: ['DE'], city: [{ country: 'DE', city: 'Munich' }] }),
    rule('Near', {
      city: [{ country: 'DE', city: 'Munchen' }],
      region: [{ country: 'DE', region: 'Bayern' }],
    }),
    rule('', { device: ['ios'] }, { city: [{ country: 'DE', region: 'Hesse', city: 'Ulm' }] }),
  );
  expect(warnings).toEqual([
    `Rule 2 (Near): the region Bayern in DE ${why}`,
    `Rule 2 (Near): the city Munchen in DE ${why}`,
    `Rule 3: the city Ulm in Hesse, DE ${why}`,
  ]);
});

test.each([
  [{ country: ['US', 'GB', 'XK', 'XX'] }, []],
  [{ country: ['ZZ', 'UK', 'QQ'] }, ['ZZ', 'UK', 'QQ']],
  [{ language: ['de', 'pt-BR', 'zh-Hant-TW', 'haw', 'PT', '*'] }, []],
  [{ language: ['German', 'english', 'jp', 'xx-DE'] }, ['German', 'english', 'jp', 'xx-DE']],
  [{ placement: ['till'] }, []],
  [{ placement: ['window', 'till'] }, ['window']],
])('%j has warnings of %j', (when, named) => {
  const warnings = warn(rule('', when));
  expect(warnings.map(text => named.find(name => text.includes(` ${name}`)))).toEqual(named);
  for (const text of warnings) expect(text).toMatch(/^Rule 1: .*so no scan has it\./);
});

test('a rule after one without conditions never applies, unless that one is switched off or has an exception', () => {
  const [always, phones] = [rule('All', {}), rule('', { device: ['ios'] })];
  expect(warn(phones, always)).toEqual([]);
  expect(warn(always, phones)).toEqual([
    'Rule 2: it never applies, because Rule 1 (All) comes before it and has no conditions.',
  ]);
  expect(warn(always, { ...phones, active: false })).toEqual([]);
  expect(warn({ ...always, active: false }, phones)).toEqual([]);
  expect(warn(rule('', {}, { device: ['ios'] }), phones)).toEqual([]);
});

test('without place files nothing is said of places', () => {
  const rules = [rule('', { city: [{ country: 'DE', city: 'None' }] })];
  expect(warnOfRules(rules, { placements: [], places: null })).toEqual([]);
});

test('the same value is warned of once in a rule, and a long list ends', () => {
  const city = Array.from({ length: 60 }, (_, index) => ({ country: 'DE', city: `None ${index}` }));
  const warnings = warn(rule('', { city: [...city, ...city] }));
  expect(warnings).toHaveLength(51);
  expect(warnings.at(-1)).toBe('There are 10 more warnings.');
});
