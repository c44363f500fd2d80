/** How much of a long proof is done: all of it at a desk; in CI, which has to stay quick, a part that shows the same. */
export const effort = (whole: number, inCi: number): number => (process.env.CI ? inCi : whole);
