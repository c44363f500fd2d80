/** Closes what was opened, in reverse order: first what takes requests, last what they depend on. */
export type Lifecycle = {
  /** `leftMs` is the time left for this closer and all that run after it. */
  defer(name: string, close: (leftMs: number) => unknown): void;
  /** Called as soon as closing begins, before anything is closed. Must not throw. */
  onClosing(listener: () => void): void;
  /** Runs every closer once, continues after one that fails, and returns the failures. */
  close(limitMs?: number): Promise<readonly Failure[]>;
};

type Failure = { readonly name: string; readonly error: unknown };

export function createLifecycle(): Lifecycle {
  const closers: { name: string; close: (leftMs: number) => unknown }[] = [];
  const listeners: (() => void)[] = [];
  return {
    onClosing(listener) {
      listeners.push(listener);
    },
    defer(name, close) {
      closers.push({ name, close });
    },
    async close(limitMs = Number.POSITIVE_INFINITY) {
      const endsAtMs = performance.now() + limitMs;
      const failures: Failure[] = [];
      for (const listener of listeners.splice(0)) listener();
      for (let next = closers.pop(); next; next = closers.pop()) {
        try {
          await next.close(Math.max(0, endsAtMs - performance.now()));
        } catch (error) {
          failures.push({ name: next.name, error });
        }
      }
      return failures;
    },
  };
}
