import { pickLanguage } from '../../kernel/accept-language.ts';

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

/**
 * The language that an Accept-Language header weighs highest, the first among equals; regions of a language get that
 * language. English for everybody else.
 */
export const chooseLanguage = (header: string | undefined): Language => pickLanguage(header, isLanguage);

const isLanguage = (name: string): name is Language => Object.hasOwn(languageTags, name);
