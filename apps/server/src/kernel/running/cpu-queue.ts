/** CPU-bound tasks, one per turn of the event loop, so that other requests are served in between. */
type CpuQueue = {
  /** Runs in its own turn of the event loop, after the tasks before it in its lane. Lanes take turns. */
  run<Value>(task: () => Value, lane?: string): Promise<Value>;
};

/** The queue of the process: two queues would mean two tasks per turn. */
export const cpuQueue: CpuQueue = createCpuQueue();

/** Tasks share one queue: many at once would otherwise run in one turn, as one long task. */
export function createCpuQueue(nextTurn: () => Promise<unknown> = nextEventLoopTurn): CpuQueue {
  /** The lane whose turn it is comes first. */
  const lanes = new Map<string, (() => void)[]>();
  let isRunning = false;
  async function runAll() {
    isRunning = true;
    do {
      await nextTurn();
      const [lane, tasks] = lanes.entries().next().value!;
      lanes.delete(lane);
      const task = tasks.shift()!;
      if (tasks.length > 0) lanes.set(lane, tasks);
      task();
    } while (lanes.size > 0);
    isRunning = false;
  }
  return {
    run: (task, lane = '') =>
      new Promise((resolve, reject) => {
        const tasks = lanes.get(lane) ?? [];
        tasks.push(() => {
          try {
            resolve(task());
          } catch (error) {
            reject(error as Error);
          }
        });
        lanes.set(lane, tasks);
        if (!isRunning) void runAll();
      }),
  };
}

/** How long a list may be worked on in one turn of the event loop. One item more is begun at most. */
const sliceMs = 5;
/** A list that takes no longer does not wait for a turn. */
const firstSliceMs = 1;

/** Converts the items of a list in order, for a few milliseconds per turn of the event loop. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  convert: (item: Item, index: number) => Result,
  queue: CpuQueue = cpuQueue,
): Promise<Result[]> {
  const results: Result[] = [];
  const convertFor = (ms: number) => {
    const endMs = performance.now() + ms;
    while (results.length < items.length && performance.now() < endMs)
      results.push(convert(items[results.length]!, results.length));
  };
  convertFor(firstSliceMs);
  while (results.length < items.length) await queue.run(() => convertFor(sliceMs));
  return results;
}

function nextEventLoopTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
