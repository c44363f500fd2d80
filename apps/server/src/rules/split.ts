import type { RuleTarget, Scanner } from './rule.ts';

/**
 * Draws a target for a visitor by weighted rendezvous hashing: the same visitor always gets the same one, shares follow the
 * weights, and where a weight changes or a target is added, only those visitors move that have to. Nothing is stored. The
 * numbers lie together in memory, since those of most codes have to be fetched.
 */
export function compileSplit<Target extends Pick<RuleTarget, 'id' | 'weight'>, Choice>(
  targets: readonly Target[],
  toChoice: (target: Target) => Choice,
): (scanner: Pick<Scanner, 'visitor'>) => Choice {
  const choices = targets.map(toChoice);
  if (choices.length === 1) return () => choices[0]!;
  const weights = Float64Array.from(targets, ({ weight }) => weight);
  const words = Int32Array.from(targets.flatMap(({ id }) => readWords(id)));
  return ({ visitor }) => choices[draw(weights, words, visitor)]!;
}

/** Two words from the end of an id, which is random; its beginning is the time of creation. */
function readWords(id: RuleTarget['id']): readonly [number, number] {
  const hex = id.replaceAll('-', '');
  return [Number.parseInt(hex.slice(16, 24), 16) | 0, Number.parseInt(hex.slice(24, 32), 16) | 0];
}

function draw(weights: Float64Array, words: Int32Array, visitor: Uint8Array): number {
  const [a, b, c, d] = [wordAt(visitor, 0), wordAt(visitor, 4), wordAt(visitor, 8), wordAt(visitor, 12)];
  let [best, bestScore] = [0, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < weights.length; at++) {
    // Each word of the visitor, which is random already, is mixed with the target in turn.
    let high = mix(a ^ words[2 * at]!);
    let low = mix(b ^ words[2 * at + 1]! ^ high);
    high = mix(c ^ high ^ low);
    low = mix(d ^ low ^ Math.imul(high, 0x9e3779b1));
    const score = -weights[at]! / Math.log(uniform(high, low));
    if (score > bestScore) [best, bestScore] = [at, score];
  }
  return best;
}

const bits = 52;
const highBits = 20;

/** Between 0 and 1, both excluded. */
function uniform(high: number, low: number): number {
  const x = (high >>> (32 - highBits)) * 2 ** 32 + (low >>> 0);
  return (x + 0.5) / 2 ** bits;
}

const wordAt = (bytes: Uint8Array, at: number) =>
  (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;

/** The finalizer of MurmurHash3. */
function mix(word: number): number {
  let h = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
