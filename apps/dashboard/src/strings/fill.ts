/** A text that depends on a number: one form for each that Intl.PluralRules tells apart. */
type Forms = { readonly [form in Intl.LDMLPluralRule]?: string } & { readonly other: string };

const locale = 'en';
const plurals = new Intl.PluralRules(locale);
const numbers = new Intl.NumberFormat(locale);

/** A text with its values in place of `{name}`. Among several forms, `count` chooses. */
export function fill(text: string | Forms, values: Readonly<Record<string, string | number>>): string {
  const form = typeof text === 'string' ? text : (text[plurals.select(Number(values.count))] ?? text.other);
  return form.replaceAll(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name];
    return value === undefined ? place : typeof value === 'number' ? numbers.format(value) : value;
  });
}
