import fc from 'fast-check';
import type { Schema } from './document.ts';

type Resolve = (schema: Schema) => Schema;

/** Values that are valid by a schema, with its limits over-represented. */
export function validValue(given: Schema, resolve: Resolve): fc.Arbitrary<unknown> {
  const schema = resolve(given);
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type: string) => validValue({ ...schema, type }, resolve)));
  if (schema.type === undefined && schema.anyOf)
    return fc.oneof(...schema.anyOf.map((one: Schema) => validValue(one, resolve)));
  switch (schema.type) {
    case 'string':
      return text(schema);
    case 'integer':
    case 'number':
      return number(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return list(schema, resolve);
    case 'object':
      return object(schema, resolve).filter(
        value => Object.keys(value as object).length >= (schema.minProperties ?? 0),
      );
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** JSON values of every type, mostly the wrong one for their field. */
const wrongValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, false, 0, -1, 1.5, 2 ** 53, -(2 ** 31), 1e308, '', ' ', '0', 'null', [], {}),
  fc.constantFrom<unknown>([[]], [null], { a: 1 }, ['https://example.com'], { length: 5 }),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** A value with one of its parts replaced or removed, or with an unknown part added. */
export function changed(value: unknown, where: number, how: Change): unknown {
  const copy = structuredClone(value);
  const places = placesIn(copy);
  const place = places[where % places.length];
  if (!place) return how.kind === 'remove' ? undefined : how.value;
  const { holder, key } = place;
  if (how.kind === 'remove' && Array.isArray(holder)) holder.splice(Number(key), 1);
  else if (how.kind === 'remove') delete holder[key];
  else if (how.kind === 'add') put(holder, how.name, how.value);
  else put(holder, key, how.value);
  return copy;
}

export type Change =
  | { readonly kind: 'remove' }
  | { readonly kind: 'replace'; readonly value: unknown }
  | { readonly kind: 'add'; readonly name: string; readonly value: unknown };

export const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Change>({ kind: 'remove' }) },
  { weight: 4, arbitrary: wrongValue.map((value): Change => ({ kind: 'replace', value })) },
  {
    weight: 1,
    arbitrary: fc.tuple(strangeName(), wrongValue).map(([name, value]): Change => {
      return { kind: 'add', name, value };
    }),
  },
);

function strangeName(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'id', '', '/~0'),
    fc.constantFrom('account_id', 'mode', 'created_at', '$ref', '\ud800', '\u0000', 'x'.repeat(5000)),
    fc.string({ unit: 'binary', maxLength: 20 }),
  );
}

function text({ pattern, not, format, minLength = 0, maxLength = 300 }: Schema): fc.Arbitrary<string> {
  if (format === 'date') return fc.date({ noInvalidDate: true }).map(date => date.toISOString().slice(0, 10));
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map(date => date.toISOString());
  const rule = new RegExp(pattern ?? '', 'u');
  const refused = typeof not?.pattern === 'string' ? new RegExp(not.pattern, 'u') : undefined;
  const fits = (value: string) =>
    rule.test(value) &&
    !refused?.test(value) &&
    [...value].length >= minLength &&
    [...value].length <= maxLength;
  const filled = (value: string) =>
    value === '' ? value : value.padEnd(maxLength, value).slice(0, maxLength);
  const sources = [
    plainText(),
    plainText().map(filled),
    pattern ? matching(rule, maxLength) : fc.string({ minLength, maxLength }),
    // A field for a web address gets plausible ones too.
    ...(fits('https://example.com/a') ? [webAddress(), webAddress().map(filled)] : []),
  ];
  const usable = sources.filter(source => fc.sample(source, { numRuns: 20, seed: 1 }).some(fits));
  return usable.length > 0 ? fc.oneof(...usable).filter(fits) : plainText();
}

const plainText = () => fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });

const webAddress = () =>
  fc
    .tuple(
      fc.webUrl({ validSchemes: ['http', 'https'], withQueryParameters: true, withFragments: true }),
      plainText(),
    )
    .map(([url, tail]) => `${url}${tail.replace(/[\s\\]/gu, '')}`);

function matching(rule: RegExp, maxLength: number): fc.Arbitrary<string> {
  try {
    return fc.stringMatching(rule, { maxLength });
  } catch {
    // A pattern that is too complex to generate from.
    return plainText();
  }
}

function number({ type, minimum = -1e9, maximum = 1e9, multipleOf }: Schema): fc.Arbitrary<number> {
  if (multipleOf)
    return fc
      .integer({ min: Math.ceil(minimum / multipleOf), max: Math.floor(maximum / multipleOf) })
      .map(count => count * multipleOf);
  const edges = fc.constantFrom(minimum, maximum, Math.min(minimum + 1, maximum));
  const inside =
    type === 'integer'
      ? fc.integer({ min: minimum, max: maximum })
      : fc.double({ min: minimum, max: maximum, noNaN: true });
  return fc.oneof(edges, inside);
}

function list(
  { items = {}, minItems = 0, maxItems = 20, uniqueItems = false }: Schema,
  resolve: Resolve,
): fc.Arbitrary<unknown> {
  const item = validValue(items, resolve);
  if (uniqueItems) return fc.uniqueArray(item, { minLength: minItems, maxLength: maxItems });
  const few = fc.array(item, { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 4)) });
  const full = fc.array(item, { minLength: 1, maxLength: 3 }).map(some => repeatTo(some, maxItems));
  return fc.oneof({ weight: 40, arbitrary: few }, { weight: 1, arbitrary: full });
}

const repeatTo = (items: unknown[], length: number) =>
  Array.from({ length }, (_, index) => structuredClone(items[index % items.length]));

function object(schema: Schema, resolve: Resolve): fc.Arbitrary<unknown> {
  if (!schema.properties && typeof schema.additionalProperties === 'object')
    return dictionary(schema, resolve);
  const model = Object.fromEntries(
    Object.entries<Schema>(schema.properties ?? {})
      .filter(([, property]) => !takesAnything(property))
      .map(([name, property]) => [name, validValue(property, resolve)]),
  );
  const required: string[] = schema.required ?? [];
  // Some objects require one of several sets of fields, and rarely allow two of them.
  const choices: Schema[] = (schema.anyOf ?? schema.oneOf ?? [{}]).map(resolve);
  const special = new Set<string>(choices.flatMap(choice => choice.required ?? []));
  return fc.oneof(
    ...choices.flatMap(choice => {
      const needed: string[] = [...required, ...(choice.required ?? [])];
      const one = Object.entries(model).filter(([name]) => needed.includes(name) || !special.has(name));
      return [
        { weight: 4, arbitrary: fc.record(Object.fromEntries(one), { requiredKeys: needed }) },
        { weight: 1, arbitrary: fc.record(model, { requiredKeys: needed }) },
      ];
    }),
  );
}

/** Left out: such a field is ignored, or refused for another reason than its form. */
const takesAnything = (property: Schema) => Object.keys(property).every(key => key === 'description');

function dictionary(
  { additionalProperties, propertyNames = {}, maxProperties = 20 }: Schema,
  resolve: Resolve,
): fc.Arbitrary<unknown> {
  const maxKeys = Math.min(maxProperties, 5);
  return fc.dictionary(text(propertyNames), validValue(additionalProperties, resolve), { maxKeys });
}

type Holder = Record<string, unknown>;

function placesIn(value: unknown): { holder: Holder; key: string }[] {
  if (value === null || typeof value !== 'object') return [];
  const holder = value as Holder;
  return Object.keys(holder).flatMap(key => [{ holder, key }, ...placesIn(holder[key])]);
}

/** Plain assignment to `__proto__` would set the prototype instead of a key. */
function put(holder: Holder, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true });
}
