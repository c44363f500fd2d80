/** What was opened, closed again in the reverse order: first what takes requests, last what they stand on. */
export type Lifecycle = {
  defer(name: string, close: () => unknown): void;
  /** Runs every closer once, goes on past one that fails, and tells which did. */
  close(): Promise<readonly Failure[]>;
};

type Failure = { readonly name: string; readonly error: unknown };

export function createLifecycle(): Lifecycle {
  const closers: { name: string; close: () => unknown }[] = [];
  return {
    defer(name, close) {
      closers.push({ name, close });
    },
    async close() {
      const failures: Failure[] = [];
      for (let next = closers.pop(); next; next = closers.pop()) {
        try {
          await next.close();
        } catch (error) {
          failures.push({ name: next.name, error });
        }
      }
      return failures;
    },
  };
}
