/** There was no answer in time. */
export class TimeoutError extends Error {
  constructor(timeoutMs: number) {
    super(`No answer within ${timeoutMs} ms`);
    this.name = 'TimeoutError';
  }
}

/**
 * The promise's value, or a TimeoutError once the time is up. If this process itself was blocked (by a long task, or
 * suspended), an answer that arrived meanwhile still counts: the event loop gets one more turn first.
 */
export function withTimeout<Value>(timeoutMs: number, promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      setImmediate(() => reject(new TimeoutError(timeoutMs)));
    }, timeoutMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
