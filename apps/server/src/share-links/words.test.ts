import { expect, test } from 'vitest';
import { de } from './texts/de.ts';
import { en } from './texts/en.ts';
import { es } from './texts/es.ts';
import { fr } from './texts/fr.ts';
import { getWords } from './words.ts';

const names = ['\u0001', '\u0002', '\u0003', '\u0004'];

/** Every text with its place; functions get names that must come back. */
function sentencesOf(part: unknown, place = ''): readonly (readonly [place: string, text: string])[] {
  if (typeof part === 'string') return [[place, part]];
  if (typeof part === 'function') {
    const sentence = part(...names) as string;
    for (const name of names.slice(0, part.length)) expect(sentence, place).toContain(name);
    return [[place, sentence]];
  }
  return Object.entries(part as object).flatMap(([name, value]) =>
    sentencesOf(value, place ? `${place}.${name}` : name),
  );
}

test.each(Object.entries({ en, de, fr, es }))(
  'the texts of a shared page are safe in HTML: %s',
  (_language, texts) => {
    for (const [place, sentence] of sentencesOf(texts)) {
      expect(sentence.trim(), place).toBe(sentence);
      expect(sentence, place).not.toMatch(/^$|[<>&"']| [:;?!]/);
    }
  },
);

test.each([
  ['de', de, ['scans', 'figure', 'name']],
  ['fr', fr, ['scans', 'scanCount.one', 'scanCount.other', 'destinations']],
  ['es', es, ['figure']],
] as const)('nothing but names of a shared page is as in English: %s', (_language, texts, same) => {
  const inEnglish = new Map(sentencesOf(en));
  const left = sentencesOf(texts).filter(([place, text]) => inEnglish.get(place) === text);
  expect(left.map(([place]) => place)).toEqual(same);
});

/** Of none, one and two; French has one form for none and one. */
test.each([
  ['en', ['0 QR codes', '1 QR code', '2 QR codes'], ['X: 1 scan', 'X: 2 scans']],
  ['de', ['0 QR-Codes', '1 QR-Code', '2 QR-Codes'], ['X: 1 Scan', 'X: 2 Scans']],
  ['fr', ['0 code QR', '1 code QR', '2 codes QR'], ['X\u00a0: 1 scan', 'X\u00a0: 2 scans']],
  ['es', ['0 códigos QR', '1 código QR', '2 códigos QR'], ['X: 1 escaneo', 'X: 2 escaneos']],
] as const)('a shared page counts in its language: %s', (language, codes, scans) => {
  const words = getWords(language);
  expect([0, 1, 2].map(words.ofAccount)).toEqual(codes);
  expect([1, 2].map(value => words.scansOf('X', value))).toEqual(scans);
});

test.each([
  ['en', ['12,345', '< 1%', 'Germany', 'Unknown', '1 – 30 September 2026']],
  ['de', ['12.345', '< 1\u00a0%', 'Deutschland', 'Unbekannt', '1.–30. September 2026']],
  ['fr', ['12\u202f345', '< 1\u00a0%', 'Allemagne', 'Inconnu', '1–30 septembre 2026']],
  ['es', ['12.345', '< 1\u00a0%', 'Alemania', 'Desconocido', '1–30 de septiembre de 2026']],
] as const)(
  'a shared page writes numbers, countries and days as its language does: %s',
  (language, shown) => {
    const { number, share, country, period } = getWords(language);
    const found = [
      number(12_345),
      share(0.001),
      country('DE'),
      country('XX'),
      period('2026-09-01', '2026-09-30'),
    ];
    // The spaces around a dash are those of the Unicode data.
    expect(found.map(text => text.replace(/\s*–\s*/, '–'))).toEqual(
      shown.map(text => text.replace(' – ', '–')),
    );
  },
);
