import type { Language } from './language.ts';
import { de } from './public-words/de.ts';
import { en } from './public-words/en.ts';
import { es } from './public-words/es.ts';
import { fr } from './public-words/fr.ts';
import { it } from './public-words/it.ts';
import { ja } from './public-words/ja.ts';
import { nl } from './public-words/nl.ts';
import { pl } from './public-words/pl.ts';
import { pt } from './public-words/pt.ts';
import type { PublicWords } from './public-words/words.ts';
import { zh } from './public-words/zh.ts';

/** What the public reads, in every language. A language or a sentence that is missing does not compile. */
export const publicWords: Readonly<Record<Language, PublicWords>> = {
  en,
  de,
  fr,
  es,
  it,
  pt,
  nl,
  pl,
  ja,
  zh,
};
