/** What the process is asked about each part that it works with. */
export type ReadinessCheck = {
  readonly name: string;
  /** Whether the process can do no work without it. */
  readonly needed: boolean;
  check(): Promise<unknown>;
};

export type ReadinessStatus = 'starting' | 'ready' | 'not ready' | 'stopping';

export type ReadinessReport = {
  readonly status: ReadinessStatus;
  readonly parts: Readonly<Record<string, 'ok' | 'away'>>;
};

/** Whether the process can do its work. Callers share one look at the parts, which is used for a second. */
export type Readiness = {
  /** Several roles of one process may know the same part: the first is asked. */
  add(check: ReadinessCheck): void;
  report(): Promise<ReadinessReport>;
  /** From now on it does its work. */
  start(): void;
  stop(): void;
};

type Options = {
  /**
   * False for what answers scanners: it serves from memory while every engine is away. Were it not ready then, a load balancer
   * would take all of its kind out of service at once, and every short link with them.
   */
  readonly needsEngines: boolean;
  readonly nowMs?: () => number;
};

const goodForMs = 1000;

type Looked = { readonly isReady: boolean; readonly parts: ReadinessReport['parts'] };

export function createReadiness({ needsEngines, nowMs = () => performance.now() }: Options): Readiness {
  const checks = new Map<string, ReadinessCheck>();
  let phase: 'starting' | 'working' | 'stopping' = 'starting';
  let latest: Promise<Looked> | null = null;
  let latestEndsAtMs = Number.POSITIVE_INFINITY;

  async function look(): Promise<Looked> {
    const results = await Promise.all(
      Array.from(checks.values(), async ({ name, needed, check }) => {
        const isThere = await check().then(
          () => true,
          () => false,
        );
        return { name, isThere, isMissed: needsEngines && needed && !isThere };
      }),
    );
    return {
      isReady: results.every(({ isMissed }) => !isMissed),
      parts: Object.fromEntries(results.map(({ name, isThere }) => [name, isThere ? 'ok' : 'away'])),
    };
  }

  function shared(): Promise<Looked> {
    if (latest && nowMs() < latestEndsAtMs) return latest;
    latestEndsAtMs = Number.POSITIVE_INFINITY;
    latest = look().finally(() => {
      latestEndsAtMs = nowMs() + goodForMs;
    });
    return latest;
  }

  return {
    add(check) {
      if (!checks.has(check.name)) checks.set(check.name, check);
    },
    async report() {
      const { isReady, parts } = await shared();
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
