import type { Clock } from '../../kernel/clock.ts';
import { withTimeout } from '../../kernel/running/with-timeout.ts';
import { runEvery } from '../background-jobs.ts';
import type { Logger } from '../logger.ts';
import { type Database, sql } from './postgres.ts';

/**
 * The time by PostgreSQL's clock, without asking it each time. Each measurement ties PostgreSQL's time to the monotonic
 * clock of this process, which no jump of the machine's clock moves. The machine's own clock is used while it agrees to
 * within a second, and until the first measurement.
 */
export type DatabaseClock = Clock & {
  /** How far the machine's clock is ahead of PostgreSQL's; null before the first measurement. */
  skewMs(): number | null;
  /** Measures now and periodically. Resolves after the first attempt, within about a second. Never rejects. */
  start(): Promise<void>;
  stop(): void;
};

type Parts = {
  /** The time by PostgreSQL's clock. */
  readonly queryTime: () => Promise<number>;
  readonly logger?: Pick<Logger, 'info' | 'warn'>;
  readonly wallMs?: () => number;
  readonly steadyMs?: () => number;
};

/** Clocks set by NTP differ by less; a smaller difference is no reason to leave the machine's clock. */
const toleratedMs = 1_000;
/** After a warning the skew has to fall well below the limit: one of about a second would be logged again and again. */
const recoveredMs = 500;
/** A slower answer says too little about the time: the process or PostgreSQL paused meanwhile. */
const maxAnswerMs = 1_000;
const measureEveryMs = 10_000;
const checkEveryMs = 1_000;

export function createDatabaseClock(parts: Parts): DatabaseClock {
  const { queryTime, logger, wallMs = Date.now, steadyMs = () => performance.now() } = parts;
  /** PostgreSQL's time when the monotonic clock was at 0; null before the first measurement. */
  let origin: number | null = null;
  let measuredSkewMs = 0;
  let dueMs = 0;
  let isMeasuring = false;
  let isWarned = false;
  let stopChecking: (() => void) | undefined;

  const skewMs = () => (origin === null ? null : wallMs() - origin - steadyMs());

  async function measure(): Promise<void> {
    isMeasuring = true;
    const before = steadyMs();
    try {
      const databaseMs = await withTimeout(maxAnswerMs, queryTime());
      const after = steadyMs();
      if (after - before > maxAnswerMs) return;
      origin = databaseMs - (before + after) / 2;
      measuredSkewMs = skewMs()!;
      dueMs = after + measureEveryMs;
    } catch {
      // PostgreSQL is unavailable: the last measurement holds, and the next check tries again.
    } finally {
      isMeasuring = false;
      logSkew();
    }
  }

  function logSkew(): void {
    const skew = skewMs();
    if (skew === null) return;
    const seconds = Math.round(skew / 100) / 10;
    if (!isWarned && Math.abs(skew) > toleratedMs) {
      isWarned = true;
      logger?.warn({ aheadSeconds: seconds }, 'clock differs from PostgreSQL');
    } else if (isWarned && Math.abs(skew) < recoveredMs) {
      isWarned = false;
      logger?.info({ aheadSeconds: seconds }, 'clock agrees with PostgreSQL again');
    }
  }

  /** The machine's clock was set, or the machine slept and its monotonic clock stood still: only PostgreSQL can tell which. */
  const hasJumped = () => Math.abs((skewMs() ?? 0) - measuredSkewMs) > toleratedMs;

  function check(): void {
    if (!isMeasuring && (steadyMs() >= dueMs || hasJumped())) void measure();
  }

  return {
    now() {
      const machineMs = wallMs();
      if (origin === null) return new Date(machineMs);
      const databaseMs = origin + steadyMs();
      return new Date(Math.abs(machineMs - databaseMs) > toleratedMs ? databaseMs : machineMs);
    },
    skewMs,
    async start() {
      stopChecking ??= runEvery(checkEveryMs, check);
      await measure();
    },
    stop: () => stopChecking?.(),
  };
}

/** Give it its own connection: a wait for one would count as part of the answer. */
export const queryDatabaseTime = (db: Database) => async (): Promise<number> =>
  (await db.query<{ ms: number }>(clockTime))[0]!.ms;

const clockTime = sql('clock-time', 'select extract(epoch from clock_timestamp())::float8 * 1000 as ms');

/** For a command: measures once. */
export async function measureDatabaseClock(db: Database): Promise<Clock> {
  const clock = createDatabaseClock({ queryTime: queryDatabaseTime(db) });
  await clock.start();
  clock.stop();
  return clock;
}
