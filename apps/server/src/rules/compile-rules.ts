import { compileConditions, type Matcher } from './conditions.ts';
import type { Rule, RuleTarget, Scanner } from './rule.ts';
import { bitsWhere, findFirst, isEmpty } from './rule-bits.ts';
import { compileSplit } from './split.ts';

/** The rules of a code, ready to decide. */
export type RuleChooser<Choice> = {
  /** Null where no rule applies: the scanner goes to the destination of the code. */
  choose(scanner: Scanner): Choice | null;
};

/** Rules that are switched off are left out. A choice is what is made of a rule and one of its targets, beforehand. */
export function compileRules<Choice>(
  rules: readonly Rule[],
  toChoice: (rule: Rule, target: RuleTarget) => Choice,
): RuleChooser<Choice> {
  const active = rules.filter(rule => rule.active);
  const conditionsMet = compileConditions(active.map(({ when }) => when));
  const exceptionsMet = compileExceptions(active);
  const splits = active.map(rule => compileSplit(rule.to, target => toChoice(rule, target)));
  return {
    choose(scanner) {
      let { low, high } = conditionsMet(scanner);
      if (exceptionsMet) {
        const exempt = exceptionsMet(scanner);
        low &= ~exempt.low;
        high &= ~exempt.high;
      }
      const first = findFirst({ low, high });
      return first < 0 ? null : splits[first]!(scanner);
    },
  };
}

/** The rules that do not apply since their exception does; null where no rule has one. */
function compileExceptions(rules: readonly Rule[]): Matcher | null {
  const withOne = bitsWhere(rules, ({ unless }) => Object.keys(unless).length > 0);
  if (isEmpty(withOne)) return null;
  const met = compileConditions(rules.map(({ unless }) => unless));
  return scanner => {
    const { low, high } = met(scanner);
    return { low: low & withOne.low, high: high & withOne.high };
  };
}
