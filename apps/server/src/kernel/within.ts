/** Nobody answered in time. */
export class OutOfTime extends Error {
  constructor(timeoutMs: number) {
    super(`No answer within ${timeoutMs} ms`);
    this.name = 'OutOfTime';
  }
}

/**
 * The promise's value, or an error once the time is up. When this process itself was held up (by a long task or
 * a stopped clock), an answer that has arrived meanwhile is still taken: the event loop gets one more turn first.
 */
export function within<Value>(timeoutMs: number, promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      setImmediate(() => reject(new OutOfTime(timeoutMs)));
    }, timeoutMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
