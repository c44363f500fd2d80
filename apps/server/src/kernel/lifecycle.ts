/** What was opened, closed again in the reverse order: first what takes requests, last what they stand on. */
export type Lifecycle = {
  /** The closer is told how many milliseconds are left for it and for all that close after it. */
  defer(name: string, close: (leftMs: number) => unknown): void;
  /** Runs every closer once, goes on past one that fails, and tells which did. */
  close(limitMs?: number): Promise<readonly Failure[]>;
};

type Failure = { readonly name: string; readonly error: unknown };

export function createLifecycle(): Lifecycle {
  const closers: { name: string; close: (leftMs: number) => unknown }[] = [];
  return {
    defer(name, close) {
      closers.push({ name, close });
    },
    async close(limitMs = Number.POSITIVE_INFINITY) {
      const endsAtMs = performance.now() + limitMs;
      const failures: Failure[] = [];
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
