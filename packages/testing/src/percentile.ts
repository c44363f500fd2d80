/** The value below which this share of the values lies. */
export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!;

export const p99 = (values: readonly number[]): number => percentile(values, 0.99);
