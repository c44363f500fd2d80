/** The size of a long test: full size on a developer's machine, smaller in CI, which has to stay quick. */
export const ciScale = (fullSize: number, inCi: number): number => (process.env.CI ? inCi : fullSize);
