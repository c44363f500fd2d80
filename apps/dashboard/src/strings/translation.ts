import type { Filled, Forms } from './fill.ts';

/** A text in another language: it has every `{place}` of the English one. */
type WithPlaces<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? `${string}{${Name}}${string}` & WithPlaces<Rest>
  : string;

/** What a catalogue must say in another language: a text for every text, and for a function what it fills. */
export type Translation<English> = English extends (...values: never[]) => Filled<infer Text>
  ? Text extends Forms
    ? Forms & { readonly other: WithPlaces<Text['other']> }
    : WithPlaces<Text & string>
  : English extends string
    ? WithPlaces<English>
    : { readonly [key in keyof English]: Translation<English[key]> };
