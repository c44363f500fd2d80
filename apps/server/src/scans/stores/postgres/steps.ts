import type { QueryLimits } from '../scan-queries.ts';

/** The limits of the next statement. */
export type NextStep = () => QueryLimits;

/** The limits of an answer that takes several statements: they share its time, and it is settled when all of them are. */
export async function runSteps<Result>(
  { timeoutMs, onSettled, ...limits }: QueryLimits,
  work: (nextStep: NextStep) => Promise<Result>,
): Promise<Result> {
  const endMs = timeoutMs === undefined ? undefined : performance.now() + timeoutMs;
  let open = 1;
  const close = () => {
    if (--open === 0) onSettled?.();
  };
  try {
    return await work(() => {
      open++;
      const leftMs =
        endMs === undefined ? {} : { timeoutMs: Math.max(1, Math.ceil(endMs - performance.now())) };
      return { ...limits, ...leftMs, onSettled: close };
    });
  } finally {
    close();
  }
}
