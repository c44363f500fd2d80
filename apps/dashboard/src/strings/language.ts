import type { Language } from '@signpost/contract/values.ts';

/** The language of this dashboard. Each is a build of its own, in which this is another word (translate.ts). */
export const language = 'en' as Language;

/** Each by its own name, so that everybody finds theirs. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
};
