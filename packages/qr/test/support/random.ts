/** Chance that comes out the same on every run (mulberry32), so that a failing case can be looked at again. */
export type Random = {
  /** From 0 up to, not including, 1. */
  next(): number;
  pick<T>(from: readonly T[]): T;
  color(): string;
  /** Around 0, with a standard deviation of 1. */
  normal(): number;
};

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    pick: from => from[Math.floor(next() * from.length)]!,
    color: () =>
      `#${Math.floor(next() * 2 ** 24)
        .toString(16)
        .padStart(6, '0')}`,
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  };
}
