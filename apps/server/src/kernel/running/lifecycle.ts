/**
 * Starts what works beside the requests once everything is built, and closes what was opened, in reverse order: first what takes
 * requests, last what they depend on.
 */
export type Lifecycle = {
  /**
   * Runs `work` now, or between `hold` and `release` at the release: building blocks the event loop, and a connection that is
   * being opened meanwhile would time out.
   */
  whenStarted(work: () => void): void;
  hold(): void;
  release(): void;
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
  let held: (() => void)[] | null = null;
  return {
    whenStarted(work) {
      if (held) held.push(work);
      else work();
    },
    hold() {
      held ??= [];
    },
    release() {
      const waiting = held ?? [];
      held = null;
      for (const work of waiting) work();
    },
    onClosing(listener) {
      listeners.push(listener);
    },
    defer(name, close) {
      closers.push({ name, close });
    },
    async close(limitMs = Number.POSITIVE_INFINITY) {
      const endsAtMs = performance.now() + limitMs;
      const failures: Failure[] = [];
      if (held) held = [];
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
