/** How long one peer takes to answer, smoothed, and how long it is plausible to wait for its next answer. */
export type RoundTrips = {
  /** An answer came after so long, in time or not. */
  observe(ms: number): void;
  /** No answer came within `timeoutMs()`: the next one may take twice as long, until an answer says otherwise. */
  missed(): void;
  /** `maxMs` before the first answer: nothing is known of this peer. */
  timeoutMs(): number;
  /** The smoothed time; null before the first answer. */
  readonly smoothedMs: number | null;
};

type Options = { readonly minMs: number; readonly maxMs: number };

/** The weights of a new observation, as TCP uses them: single outliers count little, a lasting change soon. */
const [meanWeight, deviationWeight] = [1 / 8, 1 / 4];

export function createRoundTrips({ minMs, maxMs }: Options): RoundTrips {
  let mean: number | null = null;
  let deviation = 0;
  let backOff = 1;
  return {
    observe(ms) {
      backOff = 1;
      if (mean === null) {
        mean = ms;
        deviation = ms / 2;
        return;
      }
      deviation += deviationWeight * (Math.abs(ms - mean) - deviation);
      mean += meanWeight * (ms - mean);
    },
    missed() {
      if (backOff * minMs < maxMs) backOff *= 2;
    },
    timeoutMs() {
      if (mean === null) return maxMs;
      return Math.min(maxMs, Math.max(minMs, 2 * mean + 4 * deviation) * backOff);
    },
    get smoothedMs() {
      return mean;
    },
  };
}
