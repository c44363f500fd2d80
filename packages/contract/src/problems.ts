import Type from 'typebox';

/** What can be wrong with a value, more exactly than by its error code: programs that speak other languages go by it. */
export const problemCodes = [
  'required',
  'unknown_field',
  'fixed_field',
  'type',
  'choice',
  'range',
  'range_from',
  'entries',
  'entries_up_to',
  'entries_from',
  'no_fields',
  'keys_up_to',
  'text_length',
  'text_up_to',
  'line_length',
  'line_up_to',
  'name',
  'characters',
  'url',
  'url_without_scheme',
  'host',
  'email',
  'short_code',
  'color',
  'id',
  'country',
  'language',
  'time_zone',
  'time_of_day',
  'day',
  'day_missing',
  'month_missing',
  'year_range',
  'moment',
  'day_or_moment',
  'metadata_filter',
  'list',
  'picture',
  'base64_alone',
  'query',
] as const;

export type ProblemCode = (typeof problemCodes)[number];

export const Problem = Type.Object(
  {
    code: Type.Enum([...problemCodes], {
      type: 'string',
      description: 'What is wrong with the value. New ones may be added.',
    }),
    values: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
      description: 'What the code is about, such as `min` and `max` of a `range`.',
    }),
  },
  { title: 'Problem', additionalProperties: false },
);

export type Problem = Type.Static<typeof Problem>;

/** The forms that schemas ask for in words (`x-form`). A pattern's groups are the values of the problem. */
const forms: readonly (readonly [RegExp, ProblemCode])[] = [
  [
    /^1 to (?<max>[\d,]+) characters in one line, without control or invisible characters and without a link$/,
    'name',
  ],
  [/^at most (?<max>[\d,]+) characters (?:of text )?on one line/, 'line_up_to'],
  [/^(?<min>[\d,]+) to (?<max>[\d,]+) characters (?:of text )?on one line/, 'line_length'],
  [/^at most (?<max>[\d,]+) characters/, 'text_up_to'],
  [/^(?<min>[\d,]+) to (?<max>[\d,]+) characters/, 'text_length'],
  [
    /^(?<min>\d+) to (?<max>\d+) letters, digits, - or _, and begin and end with a letter or digit$/,
    'short_code',
  ],
  [
    /^(?<min>\d+) to (?<max>\d+) (?:lower-case )?letters, digits(?:, | or )(?<others>[^a-z]+(?:or -)?)$/,
    'characters',
  ],
  [/^an http or https URL of at most (?<max>[\d,]+)/, 'url'],
  [/^a URL such as /, 'url'],
  [/^a host such as (?<example>\S+)$/, 'host'],
  [/^an e-mail address/, 'email'],
  [/^a hex colour such as (?<example>\S+)$/, 'color'],
  [/^(?:an id|a secret) that looks like (?<example>[^,]+)/, 'id'],
  [/^(?:an ISO 3166 code|two capital letters, such as DE$)/, 'country'],
  [/^a language (?:such as|without its region)/, 'language'],
  [/^an IANA time zone/, 'time_zone'],
  [/^a time of day from (?<from>\S+) to (?<to>\S+)$/, 'time_of_day'],
  [/^a day such as [\d-]+$/, 'day'],
  [/^a day such as .*, or a timestamp/, 'day_or_moment'],
  [/^(?:a timestamp with its offset|a moment in ISO 8601) such as/, 'moment'],
  [/^a key, a colon and its text/, 'metadata_filter'],
  [/^a list of (?<min>\d+) to (?<max>\d+) (?:ids|names) of /, 'entries'],
  [/^a list of (?<allowed>.+?), (?:separated by commas|each at most once)$/, 'list'],
  [/^a picture of up to (?<max>[\d,]+) KiB in base64$/, 'picture'],
  [/^the query of a URL, percent-encoded, of at most (?<max>[\d,]+)/, 'query'],
];

const toValue = (text: string) => (/^[\d,]+$/.test(text) ? Number(text.replaceAll(',', '')) : text);

/** A form in words as a problem; undefined for words that are none of the known forms. */
export function toFormProblem(form: string): Problem | undefined {
  for (const [pattern, code] of forms) {
    const found = pattern.exec(form);
    if (!found) continue;
    const groups = Object.entries(found.groups ?? {}).filter(([, text]) => text !== undefined);
    return { code, values: Object.fromEntries(groups.map(([name, text]) => [name, toValue(text)])) };
  }
  return undefined;
}
