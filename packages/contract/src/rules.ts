import Type from 'typebox';
import { RuleReason, RuleWarning } from './rule-reasons.ts';
import { DestinationUrl } from './urls.ts';
import {
  browsers,
  devices,
  maxAppendedPairs,
  maxRules,
  maxRuleValues,
  maxTargets,
  maxTimeWindows,
  placementKeyPattern,
  queryMacros,
  weekdays,
} from './values.ts';
import { words } from './words.ts';

const strict = { additionalProperties: false };
/** Well-formed text on one line: no control character and no lone surrogate. */
const line = '[^\\u0000-\\u001F\\u007F-\\u009F\\uD800-\\uDFFF]';
const lineOf = (min: number, max: number, description: string) =>
  Type.String({
    minLength: min,
    maxLength: max,
    pattern: `^${line}*$`,
    'x-form': `${min === 0 ? 'at most' : `${min} to`} ${max} characters on one line`,
    description,
  });

const momentWithOffset =
  '^(19[7-9]\\d|20\\d\\d)-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,9})?)?(Z|[+-](0\\d|1[0-4]):[0-5]\\d)$';
const momentForm = 'a timestamp with its offset such as 2026-11-15T08:00:00+01:00';
const moment = (description: string) =>
  Type.String({ pattern: momentWithOffset, 'x-form': momentForm, description });

const listOf = <Item extends Type.TSchema>(item: Item, description: string) =>
  Type.Optional(Type.Array(item, { minItems: 1, maxItems: maxRuleValues, description }));

const country = Type.String({
  pattern: '^[A-Z]{2}$',
  'x-form': 'an ISO 3166 code of two capital letters such as DE, or XX for unknown',
});
const place = (description: string) => lineOf(1, 200, description);
const clock = (pattern: string, form: string) => Type.String({ pattern, 'x-form': form });

/** Requests and responses have schemas of their own: those of responses may grow. */
type Direction = 'Body' | '';

const timeWindow = (direction: Direction) =>
  Type.Object(
    {
      days: Type.Array(words(weekdays), { minItems: 1, maxItems: 7, description: 'Days of the week.' }),
      from: clock('^([01]\\d|2[0-3]):[0-5]\\d$', 'a time of day from 00:00 to 23:59'),
      to: clock('^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$', 'a time of day from 00:00 to 24:00'),
    },
    {
      title: `TimeWindow${direction}`,
      ...strict,
      description:
        'From `from` up to, but not including, `to`. If `to` is not later than `from`, the window runs past midnight and belongs to the day on which it begins.',
    },
  );

const conditionsOf = (direction: Direction) => ({
  device: listOf(words(devices), 'Types of device.'),
  browser: listOf(words(browsers), 'Browsers.'),
  country: listOf(country, 'ISO 3166 country codes; XX is an unknown country.'),
  region: listOf(
    Type.Object({ country, region: place('Name of the region, as scans show it.') }, strict),
    'Regions, compared without case by the names that scans show.',
  ),
  city: listOf(
    Type.Object(
      {
        country,
        city: place('Name of the city, as scans show it.'),
        region: Type.Optional(place('Name of the region, if several cities have the name.')),
      },
      strict,
    ),
    'Cities, compared without case by the names that scans show.',
  ),
  language: listOf(
    Type.String({
      pattern: '^(\\*|[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8}){0,8})$',
      'x-form': 'a language such as de or pt-BR',
    }),
    'Languages, such as `de` or `pt-BR`. Only the languages that the scanner weighs highest count; `de` also covers `de-AT`.',
  ),
  time: Type.Optional(
    Type.Object(
      {
        timezone: Type.String({
          pattern: '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$',
          'x-form': 'an IANA time zone such as Europe/Berlin',
          description: 'IANA time zone whose wall clock is read.',
        }),
        windows: Type.Array(timeWindow(direction), { minItems: 1, maxItems: maxTimeWindows }),
      },
      {
        ...strict,
        description: 'Holds while the wall clock of the zone shows a time in one of the windows.',
      },
    ),
  ),
  date: Type.Optional(
    Type.Object(
      {
        from: Type.Optional(moment('First moment.')),
        until: Type.Optional(moment('First moment after it.')),
      },
      { ...strict, minProperties: 1, description: 'A period.' },
    ),
  ),
  query: listOf(
    Type.Object(
      {
        name: lineOf(1, 100, 'Name of a parameter of the short link.'),
        value: Type.Optional(lineOf(0, 200, 'Its exact value. Left out: any value.')),
      },
      strict,
    ),
    'Parameters of the query of the short link.',
  ),
  placement: listOf(
    Type.String({
      pattern: placementKeyPattern,
      'x-form': '1 to 24 lower-case letters, digits or -',
    }),
    'Keys of placements of the code.',
  ),
});

const conditions = (title: string, direction: Direction, description: string) =>
  Type.Object(conditionsOf(direction), { title, ...strict, description });
const allMustHold = 'Every condition that is given must hold. A list holds if one of its values does.';

const ruleId = Type.String({
  pattern: '^rul_[0-9a-hjkmnp-tv-z]{26}$',
  'x-form': 'an id that looks like rul_…',
});
const targetId = Type.String({
  pattern: '^tgt_[0-9a-hjkmnp-tv-z]{26}$',
  'x-form': 'an id that looks like tgt_…',
});

const RuleTargetBody = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        ...targetId,
        description: 'Id of a target of this code: send it back to keep its figures.',
      }),
    ),
    url: DestinationUrl,
    weight: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description: 'Share of the scanners, relative to the other targets. Defaults to 1.',
      }),
    ),
    label: Type.Optional(lineOf(0, 80, 'Name of the target in analytics.')),
  },
  { title: 'RuleTargetBody', ...strict },
);

export const RuleBody = Type.Object(
  {
    id: Type.Optional(
      Type.String({ ...ruleId, description: 'Id of a rule of this code: send it back to keep its figures.' }),
    ),
    name: Type.Optional(lineOf(0, 80, 'Display name.')),
    active: Type.Optional(Type.Boolean({ description: 'Whether the rule is used. Defaults to true.' })),
    when: Type.Optional(conditions('RuleConditionsBody', 'Body', allMustHold)),
    unless: Type.Optional(
      conditions(
        'RuleExceptionsBody',
        'Body',
        'The rule does not apply if all of these conditions hold. Empty: no exception.',
      ),
    ),
    to: Type.Array(RuleTargetBody, {
      minItems: 1,
      maxItems: maxTargets,
      description:
        'Where the rule leads. Between several targets, scanners are split by weight; each keeps its target for the visitor window.',
    }),
  },
  { title: 'RuleBody', ...strict },
);

/** The list of rules in a request. Null stands for an empty list. */
export const RulesBody = Type.Unsafe<RuleBody[] | null>({
  type: ['array', 'null'],
  items: RuleBody,
  maxItems: maxRules,
  description: `Rules, at most ${maxRules}. They are tried in order, and the first that applies decides; if none does, scans go to destination_url. An update replaces the list. At most 64 KiB of JSON.`,
});

const FallbackUrl = Type.Unsafe<string | null>({
  ...DestinationUrl,
  type: ['string', 'null'],
  description:
    'Where scanners go while the code is paused, has not begun, has ended or is used up. Such requests are not scans. Null: they see a page.',
});

const nullableMoment = (description: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    pattern: momentWithOffset,
    'x-form': `${momentForm}, or null`,
    description,
  });

const AppendQuery = Type.Unsafe<Record<string, string> | null>({
  type: ['object', 'null'],
  maxProperties: maxAppendedPairs,
  propertyNames: {
    pattern: `^${line}{1,100}$`,
    'x-form': '1 to 100 characters on one line',
  },
  additionalProperties: {
    type: 'string',
    maxLength: 500,
    pattern: `^${line}*$`,
    'x-form': 'at most 500 characters on one line',
  },
  description: `Parameters to append to the destination, unless it has them already. Values may contain ${queryMacros.map(name => `\`{${name}}\``).join(', ')}.`,
});

/** What decides where a code leads, besides its destination, in requests. */
export const routingBody = {
  rules: Type.Optional(RulesBody),
  fallback_url: Type.Optional(FallbackUrl),
  starts_at: Type.Optional(nullableMoment('When the code begins to redirect. Null: at once.')),
  expires_at: Type.Optional(nullableMoment('When the code stops redirecting. Null: never.')),
  max_scans: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 1,
      maximum: 1_000_000_000,
      description:
        'The code stops once it has this many scans in total. At least this many are redirected; it stops within about 2 seconds. Raise it or set it to null to resume. Null: no limit.',
    }),
  ),
  forward_query: Type.Optional(
    Type.Boolean({
      description:
        'Whether the query of the short link is appended to the destination. Parameters that the destination or append_query has are not. Defaults to false.',
    }),
  ),
  append_query: Type.Optional(AppendQuery),
};

const RuleTarget = Type.Object(
  { id: targetId, url: Type.String(), weight: Type.Integer({ minimum: 1 }), label: Type.String() },
  { title: 'RuleTarget', ...strict },
);

export const Rule = Type.Object(
  {
    id: ruleId,
    name: Type.String(),
    active: Type.Boolean(),
    when: conditions('RuleConditions', '', allMustHold),
    unless: conditions('RuleConditions', '', allMustHold),
    to: Type.Array(RuleTarget),
  },
  { title: 'Rule', ...strict },
);

const timestamp = () => Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' });

/** The same in responses. */
export const routed = {
  rules: Type.Array(Rule, { description: 'In the order in which they are tried.' }),
  fallback_url: Type.Union([Type.String(), Type.Null()]),
  starts_at: Type.Union([timestamp(), Type.Null()]),
  expires_at: Type.Union([timestamp(), Type.Null()]),
  max_scans: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
  forward_query: Type.Boolean(),
  append_query: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
  }),
  revision: Type.Integer({
    minimum: 0,
    description:
      'Rises by one with every change of what you can set on the code, its placements and tags included, and with nothing else. Send it as `If-Match: "<revision>"` to make a change only if nobody else has edited the code since.',
  }),
};

/** A scan to try the rules with. Nothing is recorded. */
export const TestRules = Type.Object(
  {
    at: Type.Optional(moment('When the scan happens. Defaults to now.')),
    device: Type.Optional(words(devices, 'Defaults to other.')),
    browser: Type.Optional(words(browsers, 'Defaults to other.')),
    country: Type.Optional(Type.String({ ...country, description: 'Defaults to XX, unknown.' })),
    region: Type.Optional(lineOf(0, 200, 'Name of the region.')),
    city: Type.Optional(lineOf(0, 200, 'Name of the city.')),
    language: Type.Optional(lineOf(0, 500, 'An Accept-Language header, or a language such as de-AT.')),
    query: Type.Optional(lineOf(0, 2048, 'Query of the short link, such as utm_source=flyer.')),
    placement: Type.Optional(lineOf(0, 24, 'Key of the placement. One that the code does not have is none.')),
    visitor: Type.Optional(
      lineOf(0, 200, 'Any text that stands for a visitor: the same text gets the same share of a split.'),
    ),
    rules: Type.Optional(
      Type.Array(RuleBody, {
        maxItems: maxRules,
        description: 'Rules to try instead of those of the code. They are not saved.',
      }),
    ),
  },
  { title: 'TestRules', ...strict },
);

export const RulesTest = Type.Object(
  {
    outcome: words(
      ['target', 'fallback', 'page'],
      '`target`: the scan is redirected. `fallback`: to fallback_url. `page`: it shows a page.',
    ),
    rule_id: Type.Union([ruleId, Type.Null()], {
      description: 'The rule that decides; null if none applies.',
    }),
    target_id: Type.Union([targetId, Type.Null()], {
      description:
        'The target of that rule; null for destination_url. Also null for a rule that is not saved.',
    }),
    rule_index: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Position of the rule in the list, counted from 0.',
    }),
    url: Type.Union([Type.String(), Type.Null()], {
      description: 'The Location that a phone gets; null for a page.',
    }),
    because: Type.Array(Type.String(), {
      description: 'Why, in words: one line for each rule up to that one.',
    }),
    reasons: Type.Array(RuleReason, {
      description: 'The lines of `because` for programs, in the same order.',
    }),
    warnings: Type.Array(Type.String(), {
      description:
        'What no scan can have, in words that begin with the rule: countries, languages, regions, cities and placements that do not exist, and rules after one without conditions.',
    }),
    warning_details: Type.Array(RuleWarning, {
      description: 'The lines of `warnings` for programs, in the same order.',
    }),
  },
  { title: 'RulesTest', ...strict },
);

export type RuleBody = Type.Static<typeof RuleBody>;
export type Rule = Type.Static<typeof Rule>;
export type TestRules = Type.Static<typeof TestRules>;
export type RulesTest = Type.Static<typeof RulesTest>;
