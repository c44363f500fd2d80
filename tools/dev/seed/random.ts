/** A seeded generator, so that everybody who seeds sees the same account. */
export type Random = {
  /** From 0 up to, but not including, 1. */
  next(): number;
  /** One of these, by weight. */
  pick<Value>(choices: readonly (readonly [value: Value, weight: number])[]): Value;
  /** Random bytes in hex. */
  hex(bytes: number): string;
  /** A Poisson-distributed count with this mean. */
  count(average: number): number;
};

/** mulberry32: small, and good enough for example data. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    pick(choices) {
      let left = next() * choices.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [value, weight] of choices) {
        left -= weight;
        if (left < 0) return value;
      }
      return choices.at(-1)![0];
    },
    hex: bytes =>
      Array.from({ length: bytes }, () =>
        Math.floor(next() * 256)
          .toString(16)
          .padStart(2, '0'),
      ).join(''),
    count(average) {
      // Poisson by products of random numbers, in steps that do not underflow.
      let total = 0;
      for (let rest = average; rest > 0; rest -= 30) {
        const limit = Math.exp(-Math.min(rest, 30));
        for (let product = next(); product > limit; product *= next()) total++;
      }
      return total;
    },
  };
}
