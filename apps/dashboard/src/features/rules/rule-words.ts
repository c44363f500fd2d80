import type { RuleReason, RuleWarning } from '@signpost/contract';
import { rulesText } from '../../strings/rules.ts';
import { countryName, formatMoment } from '../../ui/format.ts';
import type { ConditionName } from './draft.ts';
import { languageName } from './language-options.ts';

const { reasons, warnings, conditions: names } = rulesText;

type Condition = NonNullable<RuleReason['conditions']>[number];

/** Why a scan leads where it does, in a sentence; a reason that a later server may have is said in its own words. */
export function reasonInWords(reason: RuleReason, words: string): string {
  const { code, rule_index: index = 0, rule_name: name = '', conditions = [] } = reason;
  const rule = ruleName(index, name);
  const said = conditions.map(conditionInWords).join(', ');
  switch (code) {
    case 'rule_off':
      return reasons.rule_off(rule);
    case 'rule_fails':
    case 'rule_excepted':
      return reasons[code](rule, said);
    case 'rule_applies':
      return conditions.length === 0 ? reasons.always(rule) : reasons.rule_applies(rule, said);
    case 'no_rule':
    case 'suspended':
    case 'held':
    case 'off':
    case 'scheduled':
    case 'ended':
    case 'used_up':
      return reasons[code];
    default:
      return words;
  }
}

const ruleName = (index: number, name: string) =>
  name === '' ? reasons.rule(index + 1) : reasons.named(index + 1, name);

function conditionInWords({ name, holds, value, wanted, wanted_count: count, time_zone }: Condition): string {
  const label = names[name as ConditionName] ?? name;
  if (name === 'time' || name === 'date') {
    const moment = formatMoment(value, time_zone);
    return holds ? reasons.matches(label, moment) : reasons.differs(label, moment);
  }
  const show = (text: string) => shownValue(name, text) || reasons.none;
  const shown = wanted.map(show).join(', ');
  const list = count > wanted.length ? reasons.more(shown) : shown;
  return holds ? reasons.isOneOf(label, show(value), list) : reasons.isNoneOf(label, show(value), list);
}

function shownValue(name: string, value: string): string {
  if (name === 'country') return countryName(value);
  return name === 'language' && value !== '' ? value.split(', ').map(languageName).join(', ') : value;
}

/** What no scan can have, without the name of the rule. */
export function warningInWords(warning: RuleWarning, words: string): string {
  const { code, value = '', before_index: before = 0, count = 0 } = warning;
  switch (code) {
    case 'unknown_country':
    case 'unknown_language':
    case 'unknown_placement':
    case 'unknown_place':
      return warnings[code](value);
    case 'never_reached':
      return warnings.never_reached(reasons.rule(before + 1));
    case 'more':
      return warnings.more(count);
    default:
      return words;
  }
}

/** The same, which begins with the rule. */
export function namedWarning(warning: RuleWarning, words: string): string {
  const { rule_index: index, rule_name: name = '' } = warning;
  const said = warningInWords(warning, words);
  return index === undefined || said === words ? said : warnings.ofRule(ruleName(index, name), said);
}

/** What the server warned of when it saved the rule at this place. */
export const ruleWarnings = (
  details: readonly RuleWarning[],
  words: readonly string[],
  place: number,
): readonly string[] =>
  details.flatMap((warning, at) =>
    warning.rule_index === place ? [warningInWords(warning, words[at] ?? '')] : [],
  );
