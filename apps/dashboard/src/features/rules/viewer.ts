import { countryOptions } from './country-options.ts';

/** What the simulator begins with: a scanner like the viewer. */
export function viewerPlace(language: string): { readonly country: string; readonly language: string } {
  const locale = new Intl.Locale(language).maximize();
  const isKnown = countryOptions().some(({ value }) => value === locale.region);
  return { country: isKnown ? locale.region! : 'XX', language: locale.language };
}
