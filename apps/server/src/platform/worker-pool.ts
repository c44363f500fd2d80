import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';

/**
 * Threads for work that would hold the event loop. A job that throws, takes too long, runs out of memory or ends its
 * thread fails alone; the process and the other jobs go on. Who may run how much is settled before: see `limits/share.ts`.
 */
export type WorkerPool<Job, Result> = {
  run(job: Job): Promise<Result>;
  /** Jobs that still run or wait are rejected. */
  close(): Promise<void>;
};

type Options = {
  /** The module that a thread runs: see `asWorker`. */
  readonly script: URL;
  readonly threads: number;
  /** From the call to the result, with the start of a thread. */
  readonly timeoutMs: number;
  /** Memory for the objects of a thread. Bytes in buffers do not count. */
  readonly memoryMb: number;
  /** What a caller is told whose job took too long or ended its thread. */
  readonly onFailure: (cause: unknown) => Error;
  /** Told of a thread that failed without a job. */
  readonly onThreadError: (error: unknown) => void;
};

/** A thread without work is ended after this long: most processes need none most of the time. */
const idleMs = 30_000;

/** Redirects and calls come before jobs where there is one core for both. Elsewhere this would hold for the whole process. */
const niceness = process.platform === 'linux' ? 10 : 0;

/** What a thread answers. Errors cross as their parts, since classes do not. */
export type WorkerAnswer<Result> =
  | { readonly result: Result }
  | { readonly error: { readonly name: string; readonly message: string } };

/** A job that only starts a thread. */
export const warmUp = null;

export function createWorkerPool<Job, Result>(options: Options): WorkerPool<Job, Result> {
  const { script, threads, timeoutMs, memoryMb, onFailure, onThreadError } = options;
  const pool = new Piscina<Job, WorkerAnswer<Result>>({
    filename: fileURLToPath(script),
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: idleMs,
    niceIncrement: niceness,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    // A thread that waits by atomics runs nothing else: what it throws after its answer would fail its next job.
    atomics: 'disabled',
  });
  pool.on('error', onThreadError);
  /** All threads start with the first job: beside busy ones, a start takes seconds. One that cannot start fails its next job. */
  const startOthers = () => {
    for (let others = threads - 1; others > 0; others--) pool.run(warmUp as Job).catch(() => undefined);
  };
  return {
    async run(job) {
      const isFirst = pool.threads.length === 0;
      const answering = pool.run(job, { signal: AbortSignal.timeout(timeoutMs) });
      if (isFirst) startOthers();
      const answer = await answering.catch((error: unknown) => {
        throw onFailure(error);
      });
      if ('result' in answer) return answer.result;
      throw Object.assign(new Error(answer.error.message), { name: answer.error.name });
    },
    close: () => pool.destroy(),
  };
}
