import { expect, test } from 'vitest';
import { languageName, languageOptions } from './language-options.ts';

test('languages are found by their names, each once', () => {
  const options = languageOptions([]);
  const labelOf = (value: string) => options.find(option => option.value === value)?.label;
  expect(['de', 'uk', 'pt-BR', 'fil'].map(labelOf)).toEqual([
    'German',
    'Ukrainian',
    'Portuguese (Brazil)',
    'Filipino',
  ]);
  expect(new Set(options.map(({ label }) => label)).size).toBe(options.length);
});

test('a language that a rule has already is kept, whatever it is', () => {
  const [first, second] = languageOptions(['*', 'de-LI', 'de']);
  expect([first, second]).toEqual([
    { value: '*', label: '*' },
    { value: 'de-LI', label: 'German (Liechtenstein)' },
  ]);
  expect(languageName('not a language')).toBe('not a language');
});
