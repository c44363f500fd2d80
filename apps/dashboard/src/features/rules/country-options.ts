import codes from 'i18n-iso-countries/codes.json' with { type: 'json' };
import { commonText } from '../../strings/common.ts';
import { language } from '../../strings/language.ts';

let options: readonly { readonly value: string; readonly label: string }[] | null = null;

/** Countries by their names in the language of the page, and what no place file knows. */
export function countryOptions(): { value: string; label: string }[] {
  if (!options) {
    const names = new Intl.DisplayNames(language, { type: 'region' });
    const known = (codes as readonly (readonly string[])[]).flatMap(([value]) =>
      value && /^[A-Z]{2}$/.test(value) ? [{ value, label: names.of(value) ?? value }] : [],
    );
    options = [
      ...known.sort((a, b) => a.label.localeCompare(b.label, language)),
      { value: 'XX', label: commonText.unknown },
    ];
  }
  return options.map(option => ({ ...option }));
}
