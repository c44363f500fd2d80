import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { AppError } from '../kernel/errors.ts';

/** Threads for work that would hold the event loop. A job that takes too long ends with its thread. */
export type WorkerPool<Job, Result> = {
  run(job: Job): Promise<Result>;
  close(): Promise<void>;
};

type Options = {
  /** The module that a thread runs: see `answerJobs`. */
  readonly script: URL;
  readonly threads: number;
  readonly timeoutMs: number;
  /** Jobs that may wait; more are refused. */
  readonly maxWaiting: number;
  /** What a caller is told whose job took too long. */
  readonly onTimeout: () => Error;
};

/** A thread without work is ended after this long: most processes need none most of the time. */
const idleMs = 30_000;

type Waiting<Job, Result> = {
  readonly job: Job;
  resolve(result: Result): void;
  reject(error: unknown): void;
};

type Thread = { readonly worker: Worker; readonly ready: Promise<unknown>; idle: NodeJS.Timeout | undefined };

/** A thread that has not loaded its module by now never will. */
const startMs = 30_000;

/** What a thread says once it has loaded its module. The time of a job counts from then. */
export const workerReady = 'ready';

/** What a thread answers. Errors cross as their parts, since classes do not. */
export type WorkerAnswer<Result> =
  | { readonly result: Result }
  | { readonly error: { readonly name: string; readonly message: string } };

export function createWorkerPool<Job, Result>(options: Options): WorkerPool<Job, Result> {
  const { script, threads, timeoutMs, maxWaiting, onTimeout } = options;
  const queue: Waiting<Job, Result>[] = [];
  const free: Thread[] = [];
  const all = new Set<Thread>();

  function startNext(): void {
    while (queue.length > 0) {
      const thread = free.pop() ?? (all.size < threads ? open() : undefined);
      if (!thread) return;
      clearTimeout(thread.idle);
      void work(thread, queue.shift()!);
    }
  }

  function open(): Thread {
    const worker = new Worker(script, { stdout: true, stderr: true });
    // Decoders complain about every damaged picture in words of their own. The log has events, and errors arrive as such.
    worker.stdout.resume();
    worker.stderr.resume();
    const thread: Thread = { worker, ready: once(worker, 'message'), idle: undefined };
    all.add(thread);
    return thread;
  }

  function end(thread: Thread): Promise<number> {
    all.delete(thread);
    clearTimeout(thread.idle);
    const at = free.indexOf(thread);
    if (at >= 0) free.splice(at, 1);
    return thread.worker.terminate();
  }

  /** Keeps the thread where it answered, and ends it where it failed or took too long. */
  async function work(thread: Thread, { job, resolve, reject }: Waiting<Job, Result>): Promise<void> {
    const { worker } = thread;
    worker.ref();
    let isUsable = false;
    try {
      await withTimeout(thread.ready, startMs, () => new Error('a worker thread did not start'));
      const answered = once(worker, 'message') as Promise<[WorkerAnswer<Result>]>;
      worker.postMessage(job);
      const [answer] = await withTimeout(answered, timeoutMs, onTimeout);
      isUsable = true;
      if ('result' in answer) resolve(answer.result);
      else reject(Object.assign(new Error(answer.error.message), { name: answer.error.name }));
    } catch (error) {
      reject(error);
    }
    if (isUsable) {
      worker.unref();
      free.push(thread);
      thread.idle = setTimeout(() => void end(thread), idleMs).unref();
    } else await end(thread);
    startNext();
  }

  return {
    run(job) {
      if (queue.length >= maxWaiting) {
        throw new AppError(
          'unavailable',
          'Too many images are being drawn at the moment. Try again shortly.',
          {
            retryAfterSeconds: 1,
          },
        );
      }
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      queue.push({ job, resolve, reject });
      startNext();
      return promise;
    },

    async close() {
      await Promise.all([...all].map(end));
    },
  };
}

/** Rejects after a time; the promise itself may still settle, unheard. */
async function withTimeout<Value>(promise: Promise<Value>, ms: number, error: () => Error): Promise<Value> {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(error()), ms);
  promise.catch(() => undefined);
  try {
    return await Promise.race([promise, expired]);
  } finally {
    clearTimeout(timer);
  }
}
