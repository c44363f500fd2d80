import type { ErrorItem } from '@signpost/contract';
import { Ajv, type ValidateFunction } from 'ajv';
import { AppError } from '../../kernel/errors.ts';
import { type Fault, toErrorItem } from './validation-messages.ts';

/** Checks a value against a schema of the contract: returns the value, or an error that names every bad field. */
export type Validator = (data: unknown) => { readonly value: unknown } | { readonly error: AppError };

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly { readonly required?: readonly string[] }[];
  readonly additionalProperties?: unknown;
  readonly type?: unknown;
};

/** More errors than these help nobody. */
const maxFaults = 20;
const maxSuggestions = 3;

/** Anything but white space and what is not drawn: format characters, fillers and blanks. */
const visible = /[^\s\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800\u{1D159}]/u;

const ajv = new Ajv({
  // The value is not changed: no coercion, no removal, no defaults.
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  // With all errors, Ajv would run patterns on a text that is already known to be too long.
  allErrors: false,
  verbose: true,
  strictTypes: false,
  // V8 does the same later, for what is called often. Here it took half the time of every compilation.
  code: { optimize: false },
  // Formats only describe responses; requests are checked by patterns.
  formats: { 'date-time': true, uri: true },
  keywords: [
    'x-fixed',
    'x-form',
    'x-destination',
    'x-discriminator',
    {
      keyword: 'x-visible',
      type: 'string',
      validate: (wanted: boolean, text: string) => !wanted || visible.test(text),
      errors: false,
    },
  ],
});

// A text has at most as many characters as code units, and at least half as many. Only between the two are they counted.
const lengths = {
  maxLength: (max: number, text: string) =>
    text.length <= max || (text.length <= 2 * max && characters(text) <= max),
  minLength: (min: number, text: string) =>
    text.length >= 2 * min || (text.length >= min && characters(text) >= min),
};
for (const [keyword, validate] of Object.entries(lengths)) {
  ajv.removeKeyword(keyword);
  // A pattern takes long on a long text.
  ajv.addKeyword({
    keyword,
    before: 'pattern',
    type: 'string',
    schemaType: 'number',
    validate,
    errors: false,
  });
}

/** Counted without a list of them, which takes 40 ms for a megabyte of text. */
function characters(text: string): number {
  let count = text.length;
  for (let at = 1; at < text.length; at++)
    if ((text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) count--;
  return count;
}

/** `whole` is what messages call the value itself. */
export function compileValidator(schema: object, whole = 'The body'): Validator {
  const validate: ValidateFunction = ajv.compile(schema);
  return data => {
    if (validate(data)) return { value: data };
    const first = validate.errors![0]! as Fault;
    const errors = distinct(allFaults(first, schema as Schema, data), whole);
    const { code, message, param } = errors[0]!;
    return { error: new AppError(code, message, { ...(param === undefined ? {} : { param }), errors }) };
  };
}

/**
 * A query string: text, except for parameters that the schema declares as integer, number, boolean or list. Compiled at its
 * first use: unlike that of a body, it is small.
 */
export function compileQueryValidator(schema: { properties?: object }): Validator {
  let validate: Validator | undefined;
  const named = (type: string) =>
    Object.entries(schema.properties ?? {})
      .filter(([, property]) => property.type === type)
      .map(([name]) => name);
  const [integers, numbers] = [named('integer'), named('number')];
  const [booleans, lists] = [named('boolean'), named('array')];
  return data => {
    const query: Record<string, unknown> = { ...(data as object) };
    for (const name of integers) {
      const text = query[name];
      if (typeof text === 'string' && /^-?\d{1,15}$/.test(text)) query[name] = Number(text);
    }
    for (const name of numbers) {
      const text = query[name];
      if (typeof text === 'string' && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)) query[name] = Number(text);
    }
    // A parameter that may be repeated, and is there once.
    for (const name of lists) if (typeof query[name] === 'string') query[name] = [query[name]];
    for (const name of booleans)
      if (query[name] === 'true' || query[name] === 'false') query[name] = query[name] === 'true';
    validate ??= compileValidator(schema);
    return validate(query);
  };
}

function* allFaults(first: Fault, schema: Schema, data: unknown): Generator<Fault> {
  // Of alternatives, the validator names the first one, whichever was meant.
  const isAlternative =
    first.keyword === 'required' &&
    first.instancePath === '' &&
    !schema.required?.includes(String(first.params.missingProperty));
  if (!isAlternative) yield first;
  yield* findFaults(schema, data, '', first.instancePath);
}

/**
 * The first fault of each field except `known`, whose fault is known. Every field is checked by itself, and only up to
 * its first fault: a bad body costs at most about twice as much as a good one of its size.
 */
function* findFaults(schema: Schema, data: unknown, path: string, known: string): Generator<Fault> {
  if (!isObject(data)) return;
  const { properties = {}, required = [], anyOf = [] } = schema;
  const missing = (name: string): Fault => ({
    keyword: 'required',
    instancePath: path,
    params: { missingProperty: name },
    parentSchema: schema,
  });
  for (const [name, property] of Object.entries(properties)) {
    if (!Object.hasOwn(data, name)) {
      if (required.includes(name)) yield missing(name);
    } else if (property.properties && isObject(data[name])) {
      yield* findFaults(property, data[name], `${path}/${name}`, known);
    } else if (`${path}/${name}` !== known) {
      const fault = firstFault(property, data[name]);
      if (fault) yield { ...fault, instancePath: `${path}/${name}${fault.instancePath}` };
    }
  }
  const findMissing = (names: readonly string[] = []) => names.find(name => !Object.hasOwn(data, name));
  const alternatives = anyOf.map(alternative => findMissing(alternative.required));
  // The one that was begun is the one that was meant.
  const begun = anyOf.findIndex(({ required: names = [] }) => names.some(name => Object.hasOwn(data, name)));
  if (alternatives.length > 0 && !alternatives.includes(undefined))
    yield missing(alternatives[Math.max(begun, 0)]!);
  if (schema.additionalProperties !== false) return;
  for (const name of Object.keys(data)) {
    if (Object.hasOwn(properties, name)) continue;
    yield {
      keyword: 'additionalProperties',
      instancePath: path,
      params: { additionalProperty: name },
      parentSchema: schema,
    };
  }
}

/** Ajv compiles a field's schema at its first fault, and caches it by the schema object. */
function firstFault(schema: object, data: unknown): Fault | undefined {
  const validate = ajv.compile(schema);
  return validate(data) ? undefined : (validate.errors![0]! as Fault);
}

/** One for each field, in order, and no more than a person reads. */
function distinct(faults: Iterable<Fault>, whole: string): ErrorItem[] {
  const items = new Map<string | undefined, ErrorItem>();
  let suggestions = 0;
  for (const fault of faults) {
    // A suggestion is computed for a few only: it takes longer than everything else about a fault.
    const item = toErrorItem(
      fault,
      whole,
      fault.keyword === 'additionalProperties' && suggestions++ < maxSuggestions,
    );
    if (!items.has(item.param)) items.set(item.param, item);
    if (items.size === maxFaults) break;
  }
  return [...items.values()];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
