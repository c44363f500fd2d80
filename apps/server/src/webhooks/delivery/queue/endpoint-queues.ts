import type { Uuid } from '../../../kernel/ids.ts';
import type { Job } from '../job.ts';
import type { ConcurrencyLimiter } from '../rates/concurrency-limiter.ts';

/** Jobs that wait in memory for a slot, one queue per endpoint. The queues take turns; within one, new events go first. */
export type EndpointQueues = {
  add(job: Job): void;
  /** The next job for which a slot was acquired; null where there is none. */
  next(): Job | null;
  /** Removes and returns the new events that were added before this time. */
  takeOlder(thanMs: number): Job[];
  countJobs(endpointId: Uuid): number;
  length(): number;
};

type EndpointQueue = { readonly fresh: { job: Job; sinceMs: number }[]; readonly stored: Job[] };

export function createEndpointQueues(limiter: ConcurrencyLimiter): EndpointQueues {
  // A Map keeps its order of insertion: a queue that had its turn is inserted again at the end.
  const queues = new Map<Uuid, EndpointQueue>();
  let length = 0;

  function take(endpointId: Uuid, queue: EndpointQueue): Job | null {
    const [fresh] = queue.fresh;
    if (fresh && limiter.acquire(endpointId, 'queue')) {
      queue.fresh.shift();
      return fresh.job;
    }
    const [stored] = queue.stored;
    if (stored && limiter.acquire(endpointId, 'postgres')) {
      queue.stored.shift();
      return stored;
    }
    return null;
  }

  return {
    add(job) {
      const { endpointId } = job.message;
      const queue = queues.get(endpointId) ?? { fresh: [], stored: [] };
      queues.set(endpointId, queue);
      if (job.source === 'queue') queue.fresh.push({ job, sinceMs: performance.now() });
      else queue.stored.push(job);
      length++;
    },
    next() {
      if (limiter.available('queue') <= 0) return null;
      for (const [endpointId, queue] of queues) {
        const job = take(endpointId, queue);
        if (!job) continue;
        length--;
        queues.delete(endpointId);
        if (countJobs(queue) > 0) queues.set(endpointId, queue);
        return job;
      }
      return null;
    },
    takeOlder(thanMs) {
      const old: Job[] = [];
      for (const [endpointId, queue] of queues) {
        while (queue.fresh[0] && queue.fresh[0].sinceMs < thanMs) old.push(queue.fresh.shift()!.job);
        if (countJobs(queue) === 0) queues.delete(endpointId);
      }
      length -= old.length;
      return old;
    },
    countJobs: endpointId => countJobs(queues.get(endpointId)),
    length: () => length,
  };
}

const countJobs = (queue: EndpointQueue | undefined) =>
  queue ? queue.fresh.length + queue.stored.length : 0;
