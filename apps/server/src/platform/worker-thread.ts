import { parentPort } from 'node:worker_threads';
import { type WorkerAnswer, workerReady } from './worker-pool.ts';

/** Answers the jobs of a pool, in the thread that the pool has started. */
export function answerJobs<Job, Result>(work: (job: Job) => Promise<Result>): void {
  parentPort!.on('message', (job: Job) => {
    work(job).then(
      result => parentPort!.postMessage({ result } satisfies WorkerAnswer<Result>),
      (error: Error) =>
        parentPort!.postMessage({
          error: { name: error.name, message: error.message },
        } satisfies WorkerAnswer<Result>),
    );
  });
  parentPort!.postMessage(workerReady);
}
