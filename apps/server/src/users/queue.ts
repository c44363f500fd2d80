import { AppError } from '../kernel/errors.ts';

/** One piece of work at a time, in order; past the bound it refuses instead of letting more wait. */
export type Queue = { run<Value>(work: () => Promise<Value>): Promise<Value> };

export function createQueue(maxWaiting: number): Queue {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    async run(work) {
      if (waiting >= maxWaiting) {
        throw new AppError(
          'unavailable',
          'Too many people are signing up at this moment. Try again shortly.',
          {
            retryAfterSeconds: 5,
          },
        );
      }
      waiting++;
      const mine = last.then(work).finally(() => waiting--);
      last = mine.catch(() => undefined);
      return await mine;
    },
  };
}
