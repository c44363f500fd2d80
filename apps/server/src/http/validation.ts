import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { AppError } from '../kernel/errors.ts';

/** Checks a value against a schema of the contract: the value, or a refusal that names the field. */
export type Validator = (data: unknown) => { readonly value: unknown } | { readonly error: AppError };

const ajv = new Ajv({
  // Nothing is changed on the way in: no coercion, no removal, no defaults.
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  allErrors: false,
  verbose: true,
  strictTypes: false,
  // Formats only describe answers; what comes in is checked by patterns.
  formats: { 'date-time': true, uri: true },
  keywords: ['x-fixed'],
});

export function compileValidator(schema: object): Validator {
  const validate: ValidateFunction = ajv.compile(schema);
  return data => (validate(data) ? { value: data } : { error: toRefusal(validate.errors![0]!) });
}

/** A query string: text, but for parameters that the schema says are whole numbers. */
export function compileQueryValidator(schema: { properties?: object }): Validator {
  const validate = compileValidator(schema);
  const integers = Object.entries(schema.properties ?? {})
    .filter(([, property]) => property.type === 'integer')
    .map(([name]) => name);
  return data => {
    const query: Record<string, unknown> = { ...(data as object) };
    for (const name of integers) {
      const text = query[name];
      if (typeof text === 'string' && /^-?\d{1,15}$/.test(text)) query[name] = Number(text);
    }
    return validate(query);
  };
}

/** Fields whose bad form has a code of its own. */
const codeOfField: Readonly<Record<string, 'invalid_url' | 'invalid_short_code'>> = {
  destination_url: 'invalid_url',
  destination: 'invalid_url',
  short_code: 'invalid_short_code',
  url: 'invalid_url',
};

function toRefusal(error: ErrorObject): AppError {
  const path = error.instancePath.slice(1).replaceAll('/', '.');
  const field = path.split('.').at(-1) ?? '';
  const inside = (name: string) => (path === '' ? name : `${path}.${name}`);
  switch (error.keyword) {
    case 'required': {
      const name = inside(String(error.params.missingProperty));
      return refuse(name, `${name} is required.`);
    }
    case 'additionalProperties': {
      const name = String(error.params.additionalProperty);
      const fixed = (error.parentSchema as { 'x-fixed'?: Record<string, string> })['x-fixed'];
      const reason = fixed && Object.hasOwn(fixed, name) ? fixed[name] : undefined;
      return refuse(
        inside(name),
        reason ?? `There is no field ${shown(inside(name))}. Leave it out, or check its spelling.`,
      );
    }
    case 'type':
      return refuse(
        path,
        path === '' ? 'The body must be a JSON object.' : `${path} must be ${article(error.params.type)}.`,
      );
    case 'enum':
      return refuse(path, `${path} must be one of ${(error.params.allowedValues as string[]).join(', ')}.`);
    default: {
      const code = codeOfField[field];
      const hint = hintOf(error, path, field);
      return code ? new AppError(code, hint, { param: path }) : refuse(path, hint);
    }
  }
}

const refuse = (param: string, message: string) =>
  new AppError('invalid_request', message, param === '' ? {} : { param: shown(param) });

/** A name that the caller made up is shown only so far. */
const shown = (name: string) => (name.length > 100 ? `${name.slice(0, 100)}…` : name).toWellFormed();

const hints: Readonly<Record<string, string>> = {
  name: 'name must be 1 to 255 characters and not only white space.',
  destination_url:
    'destination_url must be an http or https URL of at most 4,096 characters without spaces or control characters. Write a space as %20.',
  url: 'url must be an http or https URL of at most 2,048 ASCII characters, without user info and fragment. Write a host with other letters in punycode.',
  short_code: 'short_code must be 3 to 64 letters, digits, - or _, and begin and end with a letter or digit.',
};

function hintOf(error: ErrorObject, path: string, field: string): string {
  if (error.keyword === 'pattern' && field.endsWith('Color'))
    return `${path} must be a colour of the form #RRGGBB.`;
  return hints[field === 'destination' ? 'destination_url' : field] ?? `${path} ${error.message}.`;
}

function article(type: unknown): string {
  const words: Record<string, string> = {
    string: 'text',
    integer: 'a whole number',
    boolean: 'true or false',
    object: 'an object',
    array: 'a list',
  };
  return words[String(type)] ?? String(type);
}
