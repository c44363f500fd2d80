/** There was no answer in time. */
export class TimeoutError extends Error {
  constructor(timeoutMs: number) {
    super(`No answer within ${timeoutMs} ms`);
    this.name = 'TimeoutError';
  }
}

/** However long the process was stalled, it counts as one step. */
const stepMs = 100;

/**
 * The promise's value, or a TimeoutError once the time is up. Time during which this process itself was stalled (by a long task,
 * or suspended) does not count: the other side may have answered meanwhile, or have had no chance to. An answer that
 * arrived just then still counts too: the event loop gets one more turn before the error.
 */
export function withTimeout<Value>(timeoutMs: number, promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    let leftMs = timeoutMs;
    let timer: NodeJS.Timeout;
    function wait(): void {
      const ms = Math.min(leftMs, stepMs);
      leftMs -= ms;
      timer = setTimeout(leftMs > 0 ? wait : giveUp, ms);
    }
    const giveUp = () => void setImmediate(() => reject(new TimeoutError(timeoutMs)));
    wait();
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
