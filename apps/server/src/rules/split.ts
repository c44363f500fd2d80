import type { Uuid } from '../kernel/ids.ts';

/** A target with the two words of its id that take part in the draw. */
export type SplitTarget = { readonly weight: number; readonly words: readonly [number, number] };

/** From the end of the id, which is random; its beginning is the time of creation. */
export function splitWords(id: Uuid): readonly [number, number] {
  const hex = id.replaceAll('-', '');
  return [Number.parseInt(hex.slice(16, 24), 16) | 0, Number.parseInt(hex.slice(24, 32), 16) | 0];
}

/**
 * Draws a target for a visitor by weighted rendezvous hashing: the same visitor always gets the same one, shares follow the
 * weights, and where a weight changes or a target is added, only those visitors move that have to. Nothing is stored.
 */
export function drawTarget<Target extends SplitTarget>(
  targets: readonly Target[],
  visitor: Uint8Array,
): Target {
  let [best] = targets as readonly [Target, ...Target[]];
  if (targets.length === 1) return best;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const target of targets) {
    const score = -target.weight / Math.log(uniform(visitor, target.words));
    if (score > bestScore) [best, bestScore] = [target, score];
  }
  return best;
}

const bits = 52;
const highBits = 20;

/** Between 0 and 1, both excluded. The visitor is random already; each of its words is mixed with the target in turn. */
function uniform(visitor: Uint8Array, [first, second]: readonly [number, number]): number {
  let high = mix(wordAt(visitor, 0) ^ first);
  let low = mix(wordAt(visitor, 4) ^ second ^ high);
  high = mix(wordAt(visitor, 8) ^ high ^ low);
  low = mix(wordAt(visitor, 12) ^ low ^ Math.imul(high, 0x9e3779b1));
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
