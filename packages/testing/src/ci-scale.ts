/** Whether long tests run in full, and hold to the times that a shared machine cannot: not in CI. */
export const isFullSize = !process.env.CI;

/** The size of a long test: full size on a developer's machine, smaller in CI, which has to stay quick. */
export const ciScale = (fullSize: number, inCi: number): number => (isFullSize ? fullSize : inCi);
