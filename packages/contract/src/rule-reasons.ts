import Type from 'typebox';
import { words } from './words.ts';

/** What the service says about rules, for programs: each line beside its English words, in the same order. */

export const reasonCodes = [
  'rule_off',
  'rule_fails',
  'rule_excepted',
  'rule_applies',
  'no_rule',
  'suspended',
  'held',
  'off',
  'scheduled',
  'ended',
  'used_up',
] as const;
export type ReasonCode = (typeof reasonCodes)[number];

const strict = { additionalProperties: false };
const ruleIndex = Type.Integer({
  minimum: 0,
  description: 'Position of the rule in the list, counted from 0.',
});

const CheckedCondition = Type.Object(
  {
    name: Type.String({ description: 'The condition, such as `country`.' }),
    holds: Type.Boolean({ description: 'Whether the scan meets it.' }),
    value: Type.String({ description: 'What the scan has; empty if it has nothing.' }),
    wanted: Type.Array(Type.String(), { description: 'What the rule names: the first ten.' }),
    wanted_count: Type.Integer({ minimum: 0, description: 'How many values the rule names.' }),
    time_zone: Type.Optional(Type.String({ description: 'With `time`: the time zone of the rule.' })),
  },
  { title: 'CheckedCondition', ...strict },
);

export const RuleReason = Type.Object(
  {
    code: words(reasonCodes, 'Why. New ones may be added.'),
    rule_index: Type.Optional(ruleIndex),
    rule_name: Type.Optional(Type.String({ description: 'The name of the rule; empty if it has none.' })),
    conditions: Type.Optional(
      Type.Array(CheckedCondition, {
        description:
          'With `rule_fails` the first condition that the scan does not meet, with `rule_excepted` those of the exception, with `rule_applies` those of the rule.',
      }),
    ),
  },
  { title: 'RuleReason', ...strict },
);
export type RuleReason = Type.Static<typeof RuleReason>;

export const warningCodes = [
  'unknown_country',
  'unknown_language',
  'unknown_placement',
  'unknown_place',
  'never_reached',
  'more',
] as const;
export type WarningCode = (typeof warningCodes)[number];

export const RuleWarning = Type.Object(
  {
    code: words(warningCodes, 'What can never match. New ones may be added.'),
    rule_index: Type.Optional(ruleIndex),
    rule_name: Type.Optional(Type.String({ description: 'The name of the rule; empty if it has none.' })),
    value: Type.Optional(Type.String({ description: 'The value that no scan has.' })),
    before_index: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'With `never_reached`: the rule that comes before and always applies.',
      }),
    ),
    count: Type.Optional(Type.Integer({ minimum: 1, description: 'With `more`: how many are left out.' })),
  },
  { title: 'RuleWarning', ...strict },
);
export type RuleWarning = Type.Static<typeof RuleWarning>;
