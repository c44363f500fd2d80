import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { markTexts, putTexts } from './translate.ts';

const source = `import { fill } from './fill.ts';
export const text = {
  title: 'Codes',
  of: (name: string) => fill('Codes of {name}', { name }),
  scans: (count: number) => fill({ one: '{count} scan', other: '{count} scans' }, { count }),
} as const;
`;

function mark() {
  const texts = new Map();
  return { marked: markTexts(source, 'example.ts', texts), texts };
}

test('with the texts of English in place of its marks, a catalogue says what it said', () => {
  const { marked, texts } = mark();
  expect(marked).not.toMatch(/Codes|scans?'/);
  expect(
    putTexts(marked, texts, 'en')
      .replaceAll('"', "'")
      .replace(/\{ other.*?\}, /, ''),
  ).toBe(source.replace(/\{ one.*?\}, /, ''));
  expect(putTexts(marked, texts, 'en')).toContain('{ other: "{count} scans","one":"{count} scan" }');
});

test('a language has as many forms of a text as it needs', () => {
  const { marked, texts } = mark();
  const forms = { one: '{count} scan', many: '{count} de scans', other: '{count} scans' };
  const french = putTexts(marked, new Map([...texts, ['example|scans', forms]]), 'fr');
  expect(french).toContain('{ other: "{count} scans","one":"{count} scan","many":"{count} de scans" }');
});

test.each([
  '"__text:a__"',
  "'__text:a__'",
  '`__text:a__`',
  "'so: __text:a__'.slice(4)",
  '`so: __text:a__`.slice(4)',
])('a text ends no string that it stands in: %s', code => {
  const text = 'Say "hi" to `it\'s` for $'.concat('{count} \\');
  expect(runInNewContext(putTexts(code, new Map([['a', text]]), 'en'))).toBe(text);
});

test('messages of the server are the rest of an object, and nothing in English', () => {
  const code = '{"":"__words:server-messages__"}';
  expect(putTexts(code, new Map([['server-messages', {}]]), 'en')).toBe('{"":""}');
  expect(putTexts(code, new Map([['server-messages', { gone: 'Weg' }]]), 'de')).toBe('{"":"","gone":"Weg"}');
});

test('in French no line breaks before a sign that has a space before it', () => {
  const put = putTexts('"__text:a__"', new Map([['a', 'Voir : « ici » !']]), 'fr');
  expect(put).toBe('"Voir\u00a0: «\u00a0ici\u00a0»\u202f!"');
});

test('a mark without a text stops the build', () => {
  expect(() => putTexts('"__text:a__"', new Map(), 'de')).toThrow('a has no text in de');
});
