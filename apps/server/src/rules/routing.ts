import type { Uuid } from '../kernel/ids.ts';
import { type Condition, compileConditions } from './conditions.ts';
import type { Rule, RuleTarget, Scanner } from './rule.ts';
import { drawTarget, type SplitTarget, splitWords } from './split.ts';

/** A destination that a rule has chosen. */
type Choice = { readonly ruleId: Uuid; readonly target: RuleTarget };

/** The rules of a code, ready to decide. */
export type Routing = {
  /** Null where no rule applies: the scanner goes to the destination of the code. */
  choose(scanner: Scanner): Choice | null;
};

type CompiledRule = {
  readonly when: readonly Condition[];
  readonly unless: readonly Condition[];
  readonly targets: readonly (SplitTarget & { readonly choice: Choice })[];
};

/** Rules that are switched off are left out. */
export function compileRules(rules: readonly Rule[]): Routing {
  const compiled = rules.filter(rule => rule.active).map(compileRule);
  return {
    choose(scanner) {
      for (const rule of compiled)
        if (applies(rule, scanner)) return drawTarget(rule.targets, scanner.visitor).choice;
      return null;
    },
  };
}

function compileRule({ id, when, unless, to }: Rule): CompiledRule {
  return {
    when: compileConditions(when),
    unless: compileConditions(unless),
    targets: to.map(target => ({
      weight: target.weight,
      words: splitWords(target.id),
      choice: { ruleId: id, target },
    })),
  };
}

function applies({ when, unless }: CompiledRule, scanner: Scanner): boolean {
  for (const condition of when) if (!condition(scanner)) return false;
  if (unless.length === 0) return true;
  for (const condition of unless) if (!condition(scanner)) return true;
  return false;
}
