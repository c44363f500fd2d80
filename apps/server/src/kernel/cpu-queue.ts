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

/** How long a list may be worked on in one turn of the event loop. One item more is begun at most. */
const sliceMs = 8;
/** So few items take less time than waiting for a turn. */
const fewItems = 10;

/** Converts the items of a list in order, for a few milliseconds per turn of the event loop. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  convert: (item: Item, index: number) => Result,
  queue: CpuQueue = cpuQueue,
): Promise<Result[]> {
  if (items.length <= fewItems) return items.map(convert);
  const results: Result[] = [];
  const convertSome = () => {
    const endMs = performance.now() + sliceMs;
    do results.push(convert(items[results.length]!, results.length));
    while (results.length < items.length && performance.now() < endMs);
  };
  while (results.length < items.length) await queue.run(convertSome);
  return results;
}

function nextEventLoopTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
