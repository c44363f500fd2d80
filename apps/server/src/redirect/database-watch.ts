import { setTimeout as sleep } from 'node:timers/promises';

/** Knows whether PostgreSQL answers, and for how long it has not. */
export type DatabaseWatch = {
  /** Hands the question over and watches for its answer. */
  ask<Answer>(question: () => Promise<Answer>): Promise<Answer>;
  /** For how long questions have gone unanswered while this process was awake; 0 while PostgreSQL answers. */
  silentMs(): number;
  /** Waits a moment for the probe that is under way. True where PostgreSQL answers, or may do so as far as is known. */
  mayReturn(graceMs: number): Promise<boolean>;
  /** Somebody has heard from PostgreSQL a moment ago: the count begins again. */
  wake(): void;
  /** Calls back, once, when the silence is this long. Returns what ends the wait. */
  afterSilence(ms: number, work: () => void): () => void;
  /** Calls back whenever PostgreSQL answers. */
  onAnswer(work: () => void): void;
  start(): void;
  stop(): void;
};

type Options = {
  /** Any cheap question, with a time limit and a connection of its own: the pool's may be dead. */
  readonly probe: () => Promise<unknown>;
  /** Whether PostgreSQL is not running at all, rather than silent. */
  readonly isRefusal: (error: unknown) => boolean;
  /** Whether the error is no answer: the connection broke, or the time was up. */
  readonly isAway: (error: unknown) => boolean;
  /** From here on the silence is reported, and PostgreSQL is asked by probes alone. */
  readonly silenceMs: number;
  readonly onChange: (silent: boolean, error?: unknown) => void;
  readonly nowMs?: () => number;
};

const tickMs = 10;
/** A tick later than this means that the process itself stood still: what looks like silence may be its own. */
const lagMs = 20;
/** An event loop that is always late gets no further than this many ticks before silence is silence all the same. */
const mostTicks = 50;
/** Whoever stood still for so long was stopped, rather than busy. */
const stoppedMs = 250;
/** An idle process asks now and then, so that it knows of a silence before a scanner has to wait for it. */
const idleMs = 1000;
const probeEveryMs = 50;

/** Since when nothing has come back, and how many ticks ago. */
type Quiet = { sinceMs: number; ticks: number; readonly refused: boolean };

/**
 * Silence is not death: a frozen machine or a cut cable leaves connections open on which nothing comes back. It counts only
 * while the event loop of this process runs. After SIGCONT, or a long task, every timer is overdue at once although
 * PostgreSQL was never given the time to answer; so the count begins again, also that of a silence already found.
 */
export function createDatabaseWatch(options: Options): DatabaseWatch {
  const { probe, isRefusal, isAway, silenceMs, onChange, nowMs = () => performance.now() } = options;
  const waits = new Set<{ readonly ms: number; readonly work: () => void }>();
  const listeners = new Set<() => void>();
  let unanswered = 0;
  let quiet: Quiet | null = null;
  let answeredAtMs = nowMs();
  let tickedAtMs = nowMs();
  let probedAtMs = Number.NEGATIVE_INFINITY;
  let probing = false;
  let silent = false;
  let ticker: NodeJS.Timeout | undefined;
  let idler: NodeJS.Timeout | undefined;

  function silentMs(): number {
    noticeStop();
    if (quiet === null) return 0;
    const ms = nowMs() - quiet.sinceMs;
    return quiet.refused || quiet.ticks >= mostTicks ? Math.max(ms, silenceMs) : ms;
  }

  /** Also before the next tick: after SIGCONT a request may be read first. */
  function noticeStop(): void {
    const now = nowMs();
    const stoodStillMs = now - tickedAtMs;
    if (!ticker || stoodStillMs <= tickMs + lagMs) return;
    tickedAtMs = now;
    if (quiet === null) return;
    const stopped = stoodStillMs > stoppedMs;
    quiet = { sinceMs: now, ticks: stopped ? 0 : quiet.ticks, refused: quiet.refused && !stopped };
  }

  async function ask<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    unanswered++;
    quiet ??= { sinceMs: nowMs(), ticks: 0, refused: false };
    run();
    try {
      const answer = await question();
      unanswered--;
      answered();
      return answer;
    } catch (error) {
      unanswered--;
      if (!isAway(error)) answered();
      else if (isRefusal(error) && quiet) quiet = { ...quiet, refused: true };
      judge(error);
      throw error;
    }
  }

  function answered(): void {
    answeredAtMs = nowMs();
    quiet = unanswered > 0 ? { sinceMs: answeredAtMs, ticks: 0, refused: false } : null;
    if (silent) onChange(false);
    silent = false;
    for (const work of listeners) work();
  }

  /** Ticks only while something is unanswered: an idle process is not woken a hundred times a second. */
  function run(): void {
    if (ticker) return;
    tickedAtMs = nowMs();
    ticker = setInterval(tick, tickMs);
    ticker.unref();
  }

  function tick(): void {
    noticeStop();
    tickedAtMs = nowMs();
    if (quiet) quiet.ticks++;
    judge();
    if (quiet !== null) return;
    clearInterval(ticker);
    ticker = undefined;
  }

  function judge(error?: unknown): void {
    const ms = silentMs();
    if (!silent && ms >= silenceMs) {
      silent = true;
      onChange(true, error);
    }
    // Asked at half time, over another connection: a single one that hangs is not the silence of PostgreSQL.
    if (ms >= silenceMs / 2) tryAgain();
    for (const wait of waits) {
      if (ms < wait.ms) continue;
      waits.delete(wait);
      wait.work();
    }
  }

  /** One probe is under way at all times while nothing comes back. */
  function tryAgain(): void {
    const now = nowMs();
    if (probing || now - probedAtMs < probeEveryMs) return;
    probing = true;
    probedAtMs = now;
    ask(probe)
      .catch(() => undefined)
      .finally(() => {
        probing = false;
      });
  }

  return {
    ask,
    silentMs,
    async mayReturn(graceMs) {
      if (quiet?.refused) return false;
      await sleep(graceMs);
      return silentMs() < silenceMs;
    },
    wake() {
      if (quiet) quiet = { sinceMs: nowMs(), ticks: 0, refused: false };
    },
    afterSilence(ms, work) {
      const wait = { ms, work };
      waits.add(wait);
      return () => waits.delete(wait);
    },
    onAnswer(work) {
      listeners.add(work);
    },
    start() {
      idler = setInterval(() => nowMs() - answeredAtMs >= idleMs && tryAgain(), idleMs / 2);
      idler.unref();
    },
    stop() {
      clearInterval(idler);
      clearInterval(ticker);
    },
  };
}
