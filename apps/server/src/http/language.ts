/** The languages of public pages, and how a page names its own. */
export const languageTags = {
  en: 'en',
  de: 'de',
  fr: 'fr',
  es: 'es',
  it: 'it',
  pt: 'pt',
  nl: 'nl',
  pl: 'pl',
  ja: 'ja',
  zh: 'zh-Hans',
} as const;

export type Language = keyof typeof languageTags;

export const languages = Object.keys(languageTags) as readonly Language[];

/** A value of every language, made once at the start. */
export const perLanguage = <T>(make: (language: Language) => T): Readonly<Record<Language, T>> =>
  Object.fromEntries(languages.map(language => [language, make(language)])) as Record<Language, T>;

/** No browser sends more. What comes after is not read, so that a long header costs no more than a usual one. */
const maxLength = 500;
const maxEntries = 20;

const entry = /^\s*([a-z]{1,8}|\*)(?:-[a-z0-9-]{1,40})?\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/;

/**
 * The language that an Accept-Language header weighs highest, the first among equals; regions of a language get that
 * language. English for everybody else.
 */
export function chooseLanguage(header: string | undefined): Language {
  if (header === undefined) return 'en';
  let best: { readonly language: Language; readonly weight: number } = { language: 'en', weight: 0 };
  for (const text of header.slice(0, maxLength).toLowerCase().split(',', maxEntries)) {
    const [, name = '', quality = '1'] = entry.exec(text) ?? [];
    const language = name === '*' ? 'en' : name;
    const weight = Number(quality);
    if (isLanguage(language) && weight > best.weight) best = { language, weight };
  }
  return best.language;
}

const isLanguage = (name: string): name is Language => Object.hasOwn(languageTags, name);
