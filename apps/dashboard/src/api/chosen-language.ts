import { type Language, languageCookie } from '@signpost/contract/values.ts';
import { language } from '../strings/language.ts';

const kept = (chosen: Language) => `${languageCookie}=${chosen}`;

const isKept = (chosen: Language): boolean => document.cookie.split('; ').includes(kept(chosen));

/** Keeps the language in this browser and loads the page again: the server then sends the dashboard in that language. */
export function switchLanguage(chosen: Language): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser, and is asynchronous.
  document.cookie = `${kept(chosen)}; path=/app; max-age=31536000; samesite=lax`;
  window.location.reload();
}

/**
 * Follows the language that a person has chosen, perhaps in another browser. Returns whether the page is about to be loaded
 * again: not where that has been tried, as in a browser without cookies and on a server without that language.
 */
export function followLanguage(chosen: Language | null): boolean {
  if (chosen === null || chosen === language || isKept(chosen) || !navigator.cookieEnabled) return false;
  switchLanguage(chosen);
  return true;
}
