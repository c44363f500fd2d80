import type { RuleReason } from '@signpost/contract';
import { assertNever } from '../kernel/errors.ts';
import { compileConditions } from './conditions.ts';
import type { Conditions, Rule, Scanner } from './rule.ts';
import { isEmpty } from './rule-bits.ts';

type Conditioned = NonNullable<RuleReason['conditions']>;

/** Why a rule applies to a scanner or does not. */
export function explainRule(rule: Rule, index: number, scanner: Scanner): RuleReason {
  const named = { rule_index: index, rule_name: rule.name };
  if (!rule.active) return { code: 'rule_off', ...named };
  const conditions = check(rule.when, scanner);
  const failed = conditions.find(({ holds }) => !holds);
  if (failed) return { code: 'rule_fails', ...named, conditions: [failed] };
  const exceptions = check(rule.unless, scanner);
  return exceptions.length > 0 && exceptions.every(({ holds }) => holds)
    ? { code: 'rule_excepted', ...named, conditions: exceptions }
    : { code: 'rule_applies', ...named, conditions };
}

/** The same in words. */
export function reasonInWords({
  code,
  rule_index: index = 0,
  rule_name = '',
  conditions = [],
}: RuleReason): string {
  const name = ruleInWords({ name: rule_name, index });
  const texts = conditions.map(conditionInWords);
  switch (code) {
    case 'rule_off':
      return `${name} is switched off`;
    case 'rule_fails':
      return `${name} does not apply: ${texts.join(', ')}`;
    case 'rule_excepted':
      return `${name} does not apply, since its exception does: ${texts.join(', ')}`;
    case 'rule_applies':
      return `${name} applies: ${texts.length === 0 ? 'it has no conditions' : texts.join(', ')}`;
    case 'no_rule':
      return 'No rule applies: the destination of the code is used';
    case 'suspended':
      return 'The code is suspended';
    case 'held':
      return 'The account must confirm its email address first';
    case 'off':
      return 'The code is paused or a draft';
    case 'scheduled':
      return 'The code has not begun: starts_at is later';
    case 'ended':
      return 'The code has ended: expires_at is past';
    case 'used_up':
      return 'The code is used up: it has max_scans';
    default:
      return assertNever(code);
  }
}

/** `Rule 2 (Lunch)`. */
export const ruleInWords = ({ name, index }: { readonly name: string; readonly index: number }) =>
  name === '' ? `Rule ${index + 1}` : `Rule ${index + 1} (${name})`;

const check = (conditions: Conditions, scanner: Scanner): Conditioned =>
  (Object.keys(conditions) as (keyof Conditions)[]).map(name => {
    const wanted = wantedBy(name, conditions);
    return {
      name,
      holds: !isEmpty(compileConditions([{ [name]: conditions[name] }])(scanner)),
      value: formatValue(name, scanner),
      wanted: wanted.slice(0, maxShown),
      wanted_count: wanted.length,
      ...(name === 'time' ? { time_zone: conditions.time!.timezone } : {}),
    };
  });

function conditionInWords({
  name,
  holds,
  value,
  wanted,
  wanted_count,
  time_zone,
}: Conditioned[number]): string {
  const isPlace = name === 'region' || name === 'city';
  const shown = value === '' || (isPlace && value.endsWith('/')) ? `${value}(none)` : value;
  const list =
    name === 'date'
      ? wanted.join(' until ')
      : `[${wanted.join(', ')}${wanted_count > wanted.length ? ', …' : ''}]`;
  return `${name} ${shown} is ${holds ? '' : 'not '}in ${list}${time_zone === undefined ? '' : ` of ${time_zone}`}`;
}

function formatValue(name: keyof Conditions, scanner: Scanner): string {
  switch (name) {
    case 'region':
      return `${scanner.country}/${scanner.region}`;
    case 'city':
      return `${scanner.country}/${scanner.city}`;
    case 'language':
      return scanner.languages.join(', ');
    case 'time':
    case 'date':
      return new Date(scanner.atMs).toISOString();
    case 'query':
      return scanner.query.toString();
    default:
      return scanner[name];
  }
}

function wantedBy(name: keyof Conditions, conditions: Conditions): readonly string[] {
  const { time, date, region = [], city = [], query = [] } = conditions;
  switch (name) {
    case 'time':
      return time!.windows.map(({ days, from, to }) => `${days.join(' ')} ${from} to ${to}`);
    case 'date':
      return [date!.from ?? 'any time', date!.until ?? 'any time'];
    case 'region':
      return region.map(place => `${place.country}/${place.region}`);
    case 'city':
      return city.map(place => `${place.country}/${place.city}`);
    case 'query':
      return query.map(pair => (pair.value === undefined ? pair.name : `${pair.name}=${pair.value}`));
    default:
      return conditions[name] ?? [];
  }
}

/** A long list is shown by its beginning. */
const maxShown = 10;
