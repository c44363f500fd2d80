import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { textsOf } from '../../apps/dashboard/catalogue.ts';
import { compare, translationFaults } from './translations.ts';

const english = textsOf(
  `export const text = {
    title: 'Codes',
    days: ['Monday', 'Tuesday'],
    of: (name: string) => fill('Codes of {name}', { name }),
    scans: (count: number) => fill({ one: '{count} scan', other: '{count} scans' }, { count }),
  } as const;`,
  'example.ts',
);

const german = {
  title: 'Codes',
  days: ['Montag', 'Dienstag'],
  of: 'Codes von {name}',
  scans: { one: '{count} Scan', other: '{count} Scans' },
};

describe('a language is refused', () => {
  test.each([
    ['without a key', { ...german, title: undefined }, 'title is missing: add "Codes" in this language'],
    [
      'without an entry of a list',
      { ...german, days: ['Montag'] },
      'days.1 is missing: add "Tuesday" in this language',
    ],
    ['without a place', { ...german, of: 'Alle Codes' }, 'of lacks the place {name}: add it'],
    [
      'with a place of its own',
      { ...german, title: '{n} Codes' },
      'title has a place {n} that is not in English',
    ],
    [
      'with one text for all numbers',
      { ...german, scans: '{count} Scans' },
      'scans must be a text for each form of the number',
    ],
    [
      'without a form of its numbers',
      { ...german, scans: { other: '{count} Scans' } },
      'scans has no form one, which numbers in this language need: add it',
    ],
    [
      'with a key that English does not have',
      { ...german, old: 'Alt' },
      'old is in no English catalogue: remove it',
    ],
  ])('%s', (_, catalogue, fault) => expect(compare(english, catalogue, 'de')).toContain(fault));
});

test('a language with every text is accepted, and needs the forms that its own numbers take', () => {
  expect(compare(english, german, 'de')).toEqual([]);
  expect(compare(english, german, 'pl')).toEqual([
    'scans has no form many, which numbers in this language need: add it',
    'scans has no form few, which numbers in this language need: add it',
  ]);
});

test('every language of the dashboard has every text', async () => {
  expect(await translationFaults(resolve(import.meta.dirname, '../..'))).toEqual([]);
});
