import { expect, test } from 'vitest';
import { languages } from './language.ts';
import { publicWords } from './public-words.ts';

/** Names that are the same in several languages. */
const sameEverywhere = ['Phishing', 'Malware'];
/** Words of English that none of the other languages has. */
const english = /\b(the|this|that|your|you|and|with|from|again|right now)\b/i;

/** Every sentence with its place, as in `report.kinds.scam.title`. Functions get a value that must come back. */
function sentencesOf(part: unknown, place = ''): readonly (readonly [string, string])[] {
  if (typeof part === 'string') return [[place, part]];
  if (typeof part === 'function') {
    const sentence = part('\u0007');
    expect(sentence, place).toContain('\u0007');
    return [[place, sentence]];
  }
  return Object.entries(part as object).flatMap(([name, value]) =>
    sentencesOf(value, place ? `${place}.${name}` : name),
  );
}

const inEnglish = new Map(sentencesOf(publicWords.en));

test.each(languages)('the words of the public are complete, and safe in HTML: %s', language => {
  const sentences = sentencesOf(publicWords[language]);
  expect(sentences.map(([place]) => place).sort()).toEqual([...inEnglish.keys()].sort());
  for (const [place, sentence] of sentences) {
    expect(sentence.trim(), place).toBe(sentence);
    expect(sentence, place).not.toBe('');
    expect(sentence, place).not.toMatch(/[<>&"']/);
  }
});

const others = languages.filter(language => language !== 'en');

test.each(others)('the words of the public have nothing left in English: %s', language => {
  for (const [place, sentence] of sentencesOf(publicWords[language])) {
    if (sameEverywhere.includes(sentence)) continue;
    expect(sentence, place).not.toBe(inEnglish.get(place));
    expect(sentence, place).not.toMatch(english);
  }
});
