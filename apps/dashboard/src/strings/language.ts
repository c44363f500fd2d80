import type { Language } from '@signpost/contract/values.ts';

const { document } = globalThis as { document?: { readonly documentElement: { readonly lang: string } } };

/** The language of this dashboard. Each has a page and scripts of its own, with no other language in them (translate.ts). */
export const language = (document?.documentElement.lang || 'en') as Language;

/** Each by its own name, so that everybody finds theirs. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
};
