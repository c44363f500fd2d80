import { compileConditions } from './conditions.ts';
import type { Conditions, Rule, Scanner } from './rule.ts';
import { isEmpty } from './rule-bits.ts';

/** Why a rule applies to a scanner or does not, in words. */
export function explainRule(rule: Rule, index: number, scanner: Scanner): string {
  const name = ruleInWords({ name: rule.name, index });
  if (!rule.active) return `${name} is switched off`;
  const conditions = explainAll(rule.when, scanner);
  const failed = conditions.find(({ holds }) => !holds);
  if (failed) return `${name} does not apply: ${failed.text}`;
  const exceptions = explainAll(rule.unless, scanner);
  const texts = conditions.map(({ text }) => text);
  if (exceptions.length > 0 && exceptions.every(({ holds }) => holds))
    return `${name} does not apply, since its exception does: ${exceptions.map(({ text }) => text).join(', ')}`;
  return `${name} applies: ${texts.length === 0 ? 'it has no conditions' : texts.join(', ')}`;
}

/** `Rule 2 (Lunch)`. */
export const ruleInWords = ({ name, index }: { readonly name: string; readonly index: number }) =>
  name === '' ? `Rule ${index + 1}` : `Rule ${index + 1} (${name})`;

function explainAll(
  conditions: Conditions,
  scanner: Scanner,
): { readonly holds: boolean; readonly text: string }[] {
  return (Object.keys(conditions) as (keyof Conditions)[]).map(name => {
    const holds = !isEmpty(compileConditions([{ [name]: conditions[name] }])(scanner));
    return {
      holds,
      text: `${name} ${formatValue(name, scanner)} is ${holds ? '' : 'not '}in ${wantedBy(name, conditions)}`,
    };
  });
}

function formatValue(name: keyof Conditions, scanner: Scanner): string {
  const shown = (text: string) => (text === '' ? '(none)' : text);
  switch (name) {
    case 'region':
      return `${scanner.country}/${shown(scanner.region)}`;
    case 'city':
      return `${scanner.country}/${shown(scanner.city)}`;
    case 'language':
      return shown(scanner.languages.join(', '));
    case 'time':
    case 'date':
      return new Date(scanner.atMs).toISOString();
    case 'query':
      return shown(scanner.query.toString());
    default:
      return shown(scanner[name]);
  }
}

function wantedBy(name: keyof Conditions, conditions: Conditions): string {
  const { time, date, region = [], city = [], query = [] } = conditions;
  switch (name) {
    case 'time':
      return `${list(time!.windows.map(({ days, from, to }) => `${days.join(' ')} ${from} to ${to}`))} of ${time!.timezone}`;
    case 'date':
      return `${date!.from ?? 'any time'} until ${date!.until ?? 'any time'}`;
    case 'region':
      return list(region.map(place => `${place.country}/${place.region}`));
    case 'city':
      return list(city.map(place => `${place.country}/${place.city}`));
    case 'query':
      return list(query.map(pair => (pair.value === undefined ? pair.name : `${pair.name}=${pair.value}`)));
    default:
      return list(conditions[name] ?? []);
  }
}

/** A long list is shown by its beginning. */
const maxShown = 10;

const list = (values: readonly string[]) =>
  `[${values.slice(0, maxShown).join(', ')}${values.length > maxShown ? ', …' : ''}]`;
