import { countryOptions } from './country-options.ts';

/** What the simulator begins with: a scanner like the viewer. */
export function viewerPlace(language: string): { readonly country: string; readonly language: string } {
  const locale = parseLocale(language).maximize();
  const isKnown = countryOptions().some(({ value }) => value === locale.region);
  return { country: isKnown ? locale.region! : 'XX', language: locale.language };
}

/** Some browsers report a name that is no language tag, such as `C` or `en-US@posix`. */
function parseLocale(language: string): Intl.Locale {
  try {
    return new Intl.Locale(language);
  } catch {
    return new Intl.Locale('en');
  }
}
