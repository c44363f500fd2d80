import type { ErrorItem } from '@signpost/contract';
import { Ajv, type ValidateFunction } from 'ajv';
import { AppError } from '../kernel/errors.ts';
import { type Fault, itemOf } from './fault-words.ts';

/** Checks a value against a schema of the contract: the value, or a refusal that names every field at fault. */
export type Validator = (data: unknown) => { readonly value: unknown } | { readonly error: AppError };

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly { readonly required?: readonly string[] }[];
  readonly additionalProperties?: unknown;
  readonly type?: unknown;
};

/** As many as a person mends at a time. */
const mostFaults = 20;
const mostGuesses = 3;

/** White space, and what takes no ink: format characters, fillers and blanks. */
const visible = /[^\s\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800\u{1D159}]/u;

const ajv = new Ajv({
  // Nothing is changed on the way in: no coercion, no removal, no defaults.
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  // It would go on to patterns after a text was found too long for them.
  allErrors: false,
  verbose: true,
  strictTypes: false,
  // Formats only describe answers; what comes in is checked by patterns.
  formats: { 'date-time': true, uri: true },
  keywords: [
    'x-fixed',
    'x-form',
    'x-destination',
    {
      keyword: 'x-visible',
      type: 'string',
      validate: (wanted: boolean, text: string) => !wanted || visible.test(text),
      errors: false,
    },
  ],
});

/** `whole` is what a message calls the value itself. */
export function compileValidator(schema: object, whole = 'The body'): Validator {
  const validate: ValidateFunction = ajv.compile(schema);
  return data => {
    if (validate(data)) return { value: data };
    const first = validate.errors![0]! as Fault;
    const errors = distinct(allFaults(first, schema, data), whole);
    const { code, message, param } = errors[0]!;
    return { error: new AppError(code, message, { ...(param === undefined ? {} : { param }), errors }) };
  };
}

/** A query string: text, but for parameters that the schema says are whole numbers, or true or false. */
export function compileQueryValidator(schema: { properties?: object }): Validator {
  const validate = compileValidator(schema);
  const named = (type: string) =>
    Object.entries(schema.properties ?? {})
      .filter(([, property]) => property.type === type)
      .map(([name]) => name);
  const [integers, booleans] = [named('integer'), named('boolean')];
  return data => {
    const query: Record<string, unknown> = { ...(data as object) };
    for (const name of integers) {
      const text = query[name];
      if (typeof text === 'string' && /^-?\d{1,15}$/.test(text)) query[name] = Number(text);
    }
    for (const name of booleans)
      if (query[name] === 'true' || query[name] === 'false') query[name] = query[name] === 'true';
    return validate(query);
  };
}

function* allFaults(first: Fault, schema: Schema, data: unknown): Generator<Fault> {
  yield first;
  yield* faultsOf(schema, data, '', first.instancePath);
}

/**
 * The first fault of each field but of `known`, whose fault is known. Every field is checked by itself, and only until
 * something is wrong with it: a bad body costs at most about twice what a good one of its size does.
 */
function* faultsOf(schema: Schema, data: unknown, path: string, known: string): Generator<Fault> {
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
      yield* faultsOf(property, data[name], `${path}/${name}`, known);
    } else if (`${path}/${name}` !== known) {
      const fault = firstFault(property, data[name]);
      if (fault) yield { ...fault, instancePath: `${path}/${name}${fault.instancePath}` };
    }
  }
  const lacks = (names: readonly string[] = []) => names.find(name => !Object.hasOwn(data, name));
  const alternatives = anyOf.map(alternative => lacks(alternative.required));
  if (alternatives.length > 0 && !alternatives.includes(undefined)) yield missing(alternatives[0]!);
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

/** Compiled when a field is at fault for the first time, and kept by the schema. */
function firstFault(schema: object, data: unknown): Fault | undefined {
  const validate = ajv.compile(schema);
  return validate(data) ? undefined : (validate.errors![0]! as Fault);
}

/** One a field, the first of all first, and no more of them than somebody reads. */
function distinct(faults: Iterable<Fault>, whole: string): ErrorItem[] {
  const items = new Map<string | undefined, ErrorItem>();
  let guesses = 0;
  for (const fault of faults) {
    // What was meant is only worked out for a few: it takes longer than everything else about a fault.
    const item = itemOf(fault, whole, fault.keyword === 'additionalProperties' && guesses++ < mostGuesses);
    if (!items.has(item.param)) items.set(item.param, item);
    if (items.size === mostFaults) break;
  }
  return [...items.values()];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
