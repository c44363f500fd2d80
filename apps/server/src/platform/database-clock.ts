import type { Clock } from '../kernel/clock.ts';
import { within } from '../kernel/within.ts';
import type { Logger } from './logger.ts';
import { type Database, sql } from './postgres.ts';

/**
 * The time by PostgreSQL's clock, without asking it each time. Each measurement ties PostgreSQL's time to the monotonic
 * clock of this process, which no jump of the machine's clock moves. The machine's own clock is used while it agrees to
 * within a second, and until the first measurement.
 */
export type DatabaseClock = Clock & {
  /** How far the machine's clock is ahead of PostgreSQL's; null until it is measured. */
  skewMs(): number | null;
  /** Measures, and goes on measuring. Resolves after the first try, within about a second. Never rejects. */
  start(): Promise<void>;
  stop(): void;
};

type Parts = {
  /** What time it is by PostgreSQL. */
  readonly ask: () => Promise<number>;
  readonly logger?: Pick<Logger, 'info' | 'warn'>;
  readonly wallMs?: () => number;
  readonly steadyMs?: () => number;
};

/** Clocks that NTP sets differ by less; a smaller difference is not worth leaving the machine's clock for. */
const toleratedMs = 1_000;
/** Where it was out of bounds it has to come well within them: a skew of about a second would be told again and again. */
const agreedMs = 500;
/** An answer that took longer says too little about the time: the process or PostgreSQL stood still meanwhile. */
const longestAnswerMs = 1_000;
const measureEveryMs = 10_000;
const lookEveryMs = 1_000;

export function createDatabaseClock(parts: Parts): DatabaseClock {
  const { ask, logger, wallMs = Date.now, steadyMs = () => performance.now() } = parts;
  /** PostgreSQL's time when the monotonic clock was at 0; null until it is measured. */
  let origin: number | null = null;
  let measuredSkewMs = 0;
  let dueMs = 0;
  let isMeasuring = false;
  let isTold = false;
  let timer: NodeJS.Timeout | undefined;

  const skewMs = () => (origin === null ? null : wallMs() - origin - steadyMs());

  async function measure(): Promise<void> {
    isMeasuring = true;
    const before = steadyMs();
    try {
      const theirs = await within(longestAnswerMs, ask());
      const after = steadyMs();
      if (after - before > longestAnswerMs) return;
      origin = theirs - (before + after) / 2;
      measuredSkewMs = skewMs()!;
      dueMs = after + measureEveryMs;
    } catch {
      // PostgreSQL is away: the last measurement holds, and the next look asks again.
    } finally {
      isMeasuring = false;
      tell();
    }
  }

  function tell(): void {
    const skew = skewMs();
    if (skew === null) return;
    const seconds = Math.round(skew / 100) / 10;
    if (!isTold && Math.abs(skew) > toleratedMs) {
      isTold = true;
      logger?.warn({ aheadSeconds: seconds }, 'clock differs from PostgreSQL');
    } else if (isTold && Math.abs(skew) < agreedMs) {
      isTold = false;
      logger?.info({ aheadSeconds: seconds }, 'clock agrees with PostgreSQL again');
    }
  }

  /** The machine's clock was set, or the machine slept and the monotonic clock with it: only PostgreSQL can say which. */
  const hasJumped = () => Math.abs((skewMs() ?? 0) - measuredSkewMs) > toleratedMs;

  function look(): void {
    if (!isMeasuring && (steadyMs() >= dueMs || hasJumped())) void measure();
  }

  return {
    now() {
      const own = wallMs();
      if (origin === null) return new Date(own);
      const theirs = origin + steadyMs();
      return new Date(Math.abs(own - theirs) > toleratedMs ? theirs : own);
    },
    skewMs,
    async start() {
      timer ??= setInterval(look, lookEveryMs).unref();
      await measure();
    },
    stop: () => clearInterval(timer),
  };
}

/** PostgreSQL's time, to be asked on a connection of its own: a wait for one would be taken for a part of the answer. */
export const askTime = (db: Database) => async (): Promise<number> =>
  (await db.query<{ ms: number }>(clockTime))[0]!.ms;

const clockTime = sql('clock-time', 'select extract(epoch from clock_timestamp())::float8 * 1000 as ms');

/** For a command, which measures once. */
export async function measuredClock(db: Database): Promise<Clock> {
  const clock = createDatabaseClock({ ask: askTime(db) });
  await clock.start();
  clock.stop();
  return clock;
}
