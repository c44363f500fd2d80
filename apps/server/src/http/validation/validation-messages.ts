import { type ErrorItem, type Problem, type ProblemCode, toFormProblem } from '@signpost/contract';
import { nearest } from './nearest.ts';

/** An error of Ajv, as much of it as a message needs. */
export type Fault = {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The value that is wrong. */
  readonly data?: unknown;
  readonly parentSchema?: object;
  /** Set where it is a key of the object, and not a value, that is wrong. */
  readonly propertyName?: string;
};

type Rules = {
  /** The form in words, as in `must be …`. */
  readonly 'x-form'?: string;
  /** Fields that exist but cannot be sent here, each with what to do instead. */
  readonly 'x-fixed'?: Readonly<Record<string, string>>;
  readonly properties?: object;
  readonly required?: readonly string[];
  readonly type?: unknown;
  readonly format?: string;
} & {
  readonly [bound in 'minimum' | 'maximum' | 'minLength' | 'maxLength' | 'minItems' | 'maxItems']?: number;
};

/** Fields whose bad form has an error code of its own. */
const codeOfField: Readonly<Record<string, 'invalid_url' | 'invalid_short_code'>> = {
  destination_url: 'invalid_url',
  destination: 'invalid_url',
  fallback_url: 'invalid_url',
  short_code: 'invalid_short_code',
  url: 'invalid_url',
};

/** An error message for people who have never seen a schema. */
export function toErrorItem(fault: Fault, whole: string, guess = true): ErrorItem {
  const item = describeFault(fault, whole, guess);
  if (!item.param?.startsWith('rules') || item.code === 'invalid_url') return item;
  return { ...item, code: 'invalid_rule' };
}

function describeFault(fault: Fault, whole: string, guess: boolean): ErrorItem {
  const rules = (fault.parentSchema ?? {}) as Rules;
  const path = fault.instancePath.slice(1).replaceAll('/', '.');
  const inside = (name: unknown) => (path === '' ? String(name) : `${path}.${name}`);
  if (fault.propertyName !== undefined)
    return refuse(path, `${path} must have keys of ${describeForm(rules)}.`, formProblem(rules));
  switch (fault.keyword) {
    case 'required': {
      const name = inside(fault.params.missingProperty);
      return refuse(name, `${name} is required.`, problem('required'));
    }
    case 'additionalProperties': {
      const name = String(fault.params.additionalProperty);
      const code = Object.hasOwn(rules['x-fixed'] ?? {}, name) ? 'fixed_field' : 'unknown_field';
      return refuse(
        inside(name),
        unknownField(name, inside(name), rules, guess),
        problem(code, { name: shown(name) }),
      );
    }
    case 'type':
      return path === ''
        ? refuse(path, `${whole} must be a JSON object.`, problem('type', { types: 'object' }))
        : refuse(
            path,
            `${path} must be ${describeType(fault.params.type, rules)}${hintAtType(fault.data, rules)}.`,
            problem('type', { types: [fault.params.type].flat().join(' ') }),
          );
    case 'enum': {
      const allowed = fault.params.allowedValues as unknown[];
      const message = `${path} must be ${allowed.length === 1 ? '' : 'one of '}${allowed.join(', ')}.`;
      return refuse(path, message, problem('choice', { allowed: allowed.join(', ') }));
    }
    case 'const':
      return refuse(
        path,
        `${path} must be ${fault.params.allowedValue}.`,
        problem('choice', { allowed: String(fault.params.allowedValue) }),
      );
    case 'minimum':
    case 'maximum':
      return refuse(path, `${path} must be ${describeType(rules.type, rules)}.`, rangeProblem(rules));
    case 'minItems':
    case 'maxItems':
      return refuse(
        path,
        `${path} must have ${range(rules.minItems, rules.maxItems)} entries.`,
        entriesProblem(rules),
      );
    case 'minProperties':
      return refuse(path, `${path} must have at least one field.`, problem('no_fields'));
    case 'maxProperties':
      return refuse(
        path,
        `${path} must have at most ${figure(Number(fault.params.limit))} keys.`,
        problem('keys_up_to', { max: Number(fault.params.limit) }),
      );
    default: {
      const code = codeOfField[path.split('.').at(-1)!] ?? 'invalid_request';
      const [text, what] = describeText(fault.data, code, rules) ?? [
        `must be ${describeForm(rules)}.`,
        formProblem(rules),
      ];
      return { ...refuse(path, `${path} ${text}`, what), code };
    }
  }
}

/** What is wrong in words, and for programs. */
type Described = readonly [text: string, problem: Problem];

/** What is wrong with texts that nearly have the form: the form alone would not say it. */
function describeText(text: unknown, code: string, { 'x-form': form = '' }: Rules): Described | undefined {
  if (typeof text !== 'string') return undefined;
  if (code === 'invalid_url' && withoutScheme.test(text))
    return [
      `must be a whole URL. Add https:// in front: https://${shown(text)}`,
      problem('url_without_scheme', { url: `https://${shown(text)}` }),
    ];
  if (/^a (?:day|timestamp)\b/.test(form) && /^\d{4}-\d\d-\d\d/.test(text)) return describeMoment(text);
  return /\bin base64$/.test(form) && text.startsWith('data:')
    ? [
        'must be the base64 text alone. Leave out its beginning up to the comma, such as data:image/png;base64,',
        problem('base64_alone'),
      ]
    : undefined;
}

const withoutScheme = /^[\p{L}\p{N}][\p{L}\p{N}.-]*\.\p{L}{2,}(?:[:/?#][^\s]*)?$/u;

/** A day that has the form, but that no calendar has. A time without its offset has not even the form. */
function describeMoment(text: string): Described | undefined {
  const [year, month, day] = text.slice(0, 10).split('-').map(Number) as [number, number, number];
  if (year < 1970 || year > 2099) return ['must be a day of the years 1970 to 2099.', problem('year_range')];
  if (month < 1 || month > 12)
    return ['has a month that does not exist. Months are 01 to 12.', problem('month_missing')];
  if (day < 1 || day > 31) return ['is a day that the calendar does not have.', problem('day_missing')];
  return undefined;
}

const refuse = (param: string, message: string, problem: Problem | undefined): ErrorItem => ({
  code: 'invalid_request',
  message,
  ...(param === '' ? {} : { param: shown(param) }),
  ...(problem === undefined ? {} : { problem }),
});

const problem = (code: ProblemCode, values: Problem['values'] = {}): Problem => ({ code, values });

function rangeProblem({ minimum, maximum }: Rules): Problem {
  if (maximum === undefined) return problem('range_from', { min: minimum ?? 0 });
  return problem('range', { min: minimum ?? 0, max: maximum });
}

function entriesProblem({ minItems: min = 0, maxItems: max }: Rules): Problem {
  if (max === undefined) return problem('entries_from', { min });
  return min === 0 ? problem('entries_up_to', { max }) : problem('entries', { min, max });
}

function formProblem({
  'x-form': form,
  format = '',
  minLength: min = 0,
  maxLength: max,
}: Rules): Problem | undefined {
  const words = form ?? forms[format];
  if (words !== undefined) return toFormProblem(words);
  if (max === undefined) return undefined;
  return min === 0 ? problem('text_up_to', { max }) : problem('text_length', { min, max });
}

function unknownField(
  name: string,
  path: string,
  { 'x-fixed': fixed = {}, properties = {} }: Rules,
  guess: boolean,
): string {
  if (Object.hasOwn(fixed, name)) return fixed[name]!;
  const meant = guess ? nearest(name, Object.keys(properties)) : undefined;
  return `There is no field ${shown(path)}. ${meant ? `Did you mean ${meant}?` : 'Leave it out, or check its spelling.'}`;
}

/** Names come from the caller: a long one is shown in part. */
const shown = (name: string) => (name.length > 100 ? `${name.slice(0, 100)}…` : name).toWellFormed();

const forms: Readonly<Record<string, string>> = {
  'date-time': 'a moment in ISO 8601 such as 2026-11-15T08:00:00Z',
  uri: 'a URL such as https://example.com',
};

function describeForm({ 'x-form': form, format = '', minLength, maxLength }: Rules): string {
  if (form !== undefined) return form;
  if (Object.hasOwn(forms, format)) return forms[format]!;
  return `${range(minLength, maxLength)} characters`;
}

function describeType(type: unknown, { minimum, maximum }: Rules): string {
  const names: Record<string, string> = {
    string: 'text',
    integer: 'a whole number',
    number: 'a number',
    boolean: 'true or false',
    object: 'an object',
    array: 'a list',
    null: 'null',
  };
  const kind = [type]
    .flat()
    .map(name => names[String(name)] ?? 'something else')
    .join(' or ');
  if (minimum === undefined && maximum === undefined) return kind;
  return maximum === undefined
    ? `${kind}, ${figure(minimum!)} or more`
    : `${kind} from ${figure(minimum ?? 0)} to ${figure(maximum)}`;
}

/** What an object or a list would need, for those who sent a single value instead. */
function hintAtType(data: unknown, { type, required = [] }: Rules): string {
  if (typeof data !== 'string' && typeof data !== 'number') return '';
  if (type === 'array') return ', even of a single value';
  return type === 'object' && required.length > 0 ? ` with ${required.join(' and ')}` : '';
}

function range(min = 0, max?: number): string {
  if (max === undefined) return `${figure(min)} or more`;
  return min === 0 ? `at most ${figure(max)}` : `${figure(min)} to ${figure(max)}`;
}

const figure = (value: number) => value.toLocaleString('en-GB');
