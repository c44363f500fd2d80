/** The value below which so large a share of all lies. */
export const rank = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!;

export const p99 = (values: readonly number[]): number => rank(values, 0.99);
