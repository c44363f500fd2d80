import type { QrCode } from '@signpost/contract';
import { rulesText } from '../../strings/rules.ts';

type Rules = QrCode['rules'];
type Rule = Rules[number];

const { history, names } = rulesText;

/** Rules as the history holds them; null where they cannot be read. */
export function readRules(text: string | null): Rules | null {
  if (!text) return [];
  try {
    const rules: unknown = JSON.parse(text);
    return Array.isArray(rules) ? (rules as Rules) : null;
  } catch {
    return null;
  }
}

/** What was done to a list of rules, a line for each. */
export function describeRules(before: Rules, after: Rules): readonly string[] {
  const earlier = new Map(before.map(rule => [rule.id, rule]));
  const later = new Set(after.map(({ id }) => id));
  const lines = [
    ...after.flatMap(rule => describeRule(earlier.get(rule.id), rule)),
    ...before.filter(({ id }) => !later.has(id)).map(rule => history.removed(nameOf(rule))),
  ];
  const kept = after.filter(({ id }) => earlier.has(id)).map(({ id }) => id);
  const order = before.filter(({ id }) => later.has(id)).map(({ id }) => id);
  return kept.join() === order.join() ? lines : [...lines, history.moved];
}

function describeRule(before: Rule | undefined, after: Rule): readonly string[] {
  const name = nameOf(after);
  if (before === undefined) return [history.added(name)];
  return [
    ...(before.name === after.name ? [] : [history.renamed(nameOf(before), name)]),
    ...(before.active === after.active ? [] : [after.active ? history.on(name) : history.off(name)]),
    ...(isSame([before.when, before.unless], [after.when, after.unless]) ? [] : [history.conditions(name)]),
    ...(isSame(before.to, after.to) ? [] : [history.destinations(name)]),
  ];
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const nameOf = ({ name }: Rule): string => name || names.unnamed;
