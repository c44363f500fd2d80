/** Checks one engine that the process works with, or one part of its own. */
export type ReadinessCheck = {
  readonly name: string;
  /** Whether the process cannot work without it. */
  readonly needed: boolean;
  /** What is reported if the check fails; `away` by default. */
  readonly failure?: PartState;
  check(): Promise<unknown>;
};

/** `in_memory`: scans are in memory only. */
type PartState = 'ok' | 'away' | 'in_memory';

type ReadinessStatus = 'starting' | 'ready' | 'not ready' | 'stopping';

type ReadinessReport = {
  readonly status: ReadinessStatus;
  readonly parts: Readonly<Record<string, PartState>>;
};

/** Whether the process can do its work. Callers share one round of checks, whose result is used for a second. */
export type Readiness = {
  /** Several roles of one process may add a check of the same name: the first is used. */
  add(check: ReadinessCheck): void;
  report(): Promise<ReadinessReport>;
  /** From now on the process takes work. */
  start(): void;
  stop(): void;
};

type Options = {
  /**
   * False for processes that serve short links: they serve from memory while every engine is down. If they were not ready
   * then, a load balancer would take all of them out of service at once, and every short link with them.
   */
  readonly needsEngines: boolean;
  readonly nowMs?: () => number;
};

const reuseMs = 1000;

type CheckResult = { readonly isReady: boolean; readonly parts: ReadinessReport['parts'] };

export function createReadiness({ needsEngines, nowMs = () => performance.now() }: Options): Readiness {
  const checks = new Map<string, ReadinessCheck>();
  let phase: 'starting' | 'working' | 'stopping' = 'starting';
  let latest: Promise<CheckResult> | null = null;
  let latestExpiresAtMs = Number.POSITIVE_INFINITY;

  async function runChecks(): Promise<CheckResult> {
    const results = await Promise.all(
      Array.from(checks.values(), async ({ name, needed, failure = 'away', check }) => {
        const state = await check().then(
          () => 'ok' as const,
          () => failure,
        );
        return { name, state, isMissing: needsEngines && needed && state !== 'ok' };
      }),
    );
    return {
      isReady: results.every(({ isMissing }) => !isMissing),
      parts: Object.fromEntries(results.map(({ name, state }) => [name, state])),
    };
  }

  function sharedResult(): Promise<CheckResult> {
    if (latest && nowMs() < latestExpiresAtMs) return latest;
    latestExpiresAtMs = Number.POSITIVE_INFINITY;
    latest = runChecks().finally(() => {
      latestExpiresAtMs = nowMs() + reuseMs;
    });
    return latest;
  }

  return {
    add(check) {
      if (!checks.has(check.name)) checks.set(check.name, check);
    },
    async report() {
      const { isReady, parts } = await sharedResult();
      return { status: phase === 'working' ? (isReady ? 'ready' : 'not ready') : phase, parts };
    },
    start() {
      phase = 'working';
    },
    stop() {
      phase = 'stopping';
    },
  };
}
