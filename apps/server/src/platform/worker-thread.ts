import { isMainThread } from 'node:worker_threads';
import type { WorkerAnswer, warmUp } from './worker-pool.ts';

// Decoders complain about every damaged picture in words of their own. The log has events, and errors arrive as such.
if (!isMainThread) for (const stream of [process.stdout, process.stderr]) stream.write = () => true;

/** The default export of a module whose jobs run in the threads of a pool. */
export const asWorker =
  <Job, Result>(work: (job: Job) => Promise<Result>) =>
  async (job: Job | typeof warmUp): Promise<WorkerAnswer<Result> | typeof warmUp> => {
    if (job === null) return null;
    try {
      return { result: await work(job) };
    } catch (error) {
      const { name, message } = error as Error;
      return { error: { name, message } };
    }
  };
