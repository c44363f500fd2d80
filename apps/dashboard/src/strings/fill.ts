import { language } from './language.ts';

/** A text that depends on a number: one form for each that Intl.PluralRules tells apart. `count` chooses. */
export type Forms = { readonly [form in Intl.LDMLPluralRule]?: string } & { readonly other: string };

type Value = string | number;
/** The names between braces in a text. */
export type Places<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Places<Rest>
  : never;
/** What a text needs: the compiler refuses a place without a value. */
export type Values<Text extends string | Forms> = Text extends Forms
  ? { readonly count: number } & { readonly [name in Exclude<Places<Text['other']>, 'count'>]: Value }
  : { readonly [name in Places<Text & string>]: Value };

declare const origin: unique symbol;
/** A text with its values in place. Its type remembers what it was made from, for the types of other languages. */
export type Filled<Text extends string | Forms> = string & { readonly [origin]?: Text };

const plurals = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(language);

/** A name with one of these would turn round the sentence that it stands in. */
const directionMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A text with its values in place of `{name}`. Among several forms, `count` chooses. */
export function fill<const Text extends string | Forms>(text: Text, values: Values<Text>): Filled<Text> {
  const given: Readonly<Record<string, Value | undefined>> = values;
  const form = typeof text === 'string' ? text : (text[plurals.select(Number(given.count))] ?? text.other);
  return form.replaceAll(/\{(\w+)\}/g, (place, name: string) => {
    const value = given[name];
    if (value === undefined) return place;
    return typeof value === 'number' ? numbers.format(value) : value.replaceAll(directionMarks, '');
  });
}
