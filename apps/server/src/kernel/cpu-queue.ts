/** CPU-bound tasks, one per turn of the event loop, so that other requests are served in between. */
type CpuQueue = {
  /** Runs after all tasks before it, in its own turn of the event loop. */
  run<Value>(task: () => Value): Promise<Value>;
};

/** The queue of the process: two queues would mean two tasks per turn. */
export const cpuQueue: CpuQueue = createCpuQueue();

/** Tasks share one queue: many at once would otherwise run in one turn, as one long task. */
export function createCpuQueue(nextTurn: () => Promise<unknown> = nextEventLoopTurn): CpuQueue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(task) {
      const result = last.then(nextTurn).then(task);
      last = result.catch(() => undefined);
      return result;
    },
  };
}

function nextEventLoopTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
