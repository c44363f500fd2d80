import type { QrCode, RuleBody } from '@signpost/contract';
import { rulesText } from '../../strings/rules.ts';
import { bodyOf, draftsOf } from './draft.ts';

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

/** One change of a rule. Two rules may have one name, so the key tells their lines apart. */
export type RuleChange = { readonly key: string; readonly line: string };

/** What was done to a list of rules. */
export function describeRules(before: Rules, after: Rules): readonly RuleChange[] {
  const earlier = new Map(before.map(rule => [rule.id, rule]));
  const later = new Set(after.map(({ id }) => id));
  const changes = [
    ...after.flatMap(rule => describeRule(earlier.get(rule.id), rule)),
    ...before
      .filter(({ id }) => !later.has(id))
      .map(rule => ({ key: `${rule.id} removed`, line: history.removed(nameOf(rule)) })),
  ];
  const kept = after.filter(({ id }) => earlier.has(id)).map(({ id }) => id);
  const order = before.filter(({ id }) => later.has(id)).map(({ id }) => id);
  return kept.join() === order.join() ? changes : [...changes, { key: 'moved', line: history.moved }];
}

/** The same in one line, for rules that are not saved yet as well: what is new has no id. */
export const summarise = (before: Rules, after: readonly RuleBody[]): string => {
  const whole = (rules: readonly RuleBody[]) =>
    bodyOf(draftsOf(rules as Rules)).map(
      (rule, place) => ({ ...rule, id: rule.id ?? `new ${place}` }) as Rule,
    );
  return describeRules(whole(before as RuleBody[]), whole(after))
    .map(({ line }) => line)
    .join('; ');
};

function describeRule(before: Rule | undefined, after: Rule): readonly RuleChange[] {
  const name = nameOf(after);
  const change = (what: string, line: string): RuleChange => ({ key: `${after.id} ${what}`, line });
  if (before === undefined) return [change('added', history.added(name))];
  return [
    ...(before.name === after.name ? [] : [change('renamed', history.renamed(nameOf(before), name))]),
    ...(before.active === after.active
      ? []
      : [change('switched', after.active ? history.on(name) : history.off(name))]),
    ...(isSame([before.when, before.unless], [after.when, after.unless])
      ? []
      : [change('conditions', history.conditions(name))]),
    ...(isSame(before.to, after.to) ? [] : [change('destinations', history.destinations(name))]),
  ];
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const nameOf = ({ name }: Rule): string => name || names.unnamed;
