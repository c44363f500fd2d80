/** A bit for each rule of a code, that of the first is the lowest: two words hold more rules than a code may have. */
export type RuleBits = { readonly low: number; readonly high: number };

/** The bits of the rules for which a test holds. */
export function bitsWhere<Rule>(rules: readonly Rule[], test: (rule: Rule) => boolean): RuleBits {
  if (rules.length > 64) throw new RangeError('Two words hold 64 rules');
  let [low, high] = [0, 0];
  for (const [index, rule] of rules.entries()) {
    if (!test(rule)) continue;
    if (index < 32) low |= 1 << index;
    else high |= 1 << (index - 32);
  }
  return { low, high };
}

export const isEmpty = ({ low, high }: RuleBits): boolean => (low | high) === 0;

/** The first rule; -1 if there is none. */
export function findFirst({ low, high }: RuleBits): number {
  if (low !== 0) return lowestBit(low);
  return high === 0 ? -1 : 32 + lowestBit(high);
}

const lowestBit = (word: number) => 31 - Math.clz32(word & -word);
