import { setTimeout as sleep } from 'node:timers/promises';
import { runEvery } from '../../platform/background-jobs.ts';

type Options = {
  /** Any cheap query, with a time limit and a connection of its own: those of the pool may be dead. */
  readonly probe: () => Promise<unknown>;
  /** Whether PostgreSQL is not running at all, rather than silent. */
  readonly isRefusal: (error: unknown) => boolean;
  /** Whether the error is no answer: the connection broke, or the query timed out. */
  readonly isUnreachable: (error: unknown) => boolean;
  /** From here on the silence is reported, and only probes are sent to PostgreSQL. */
  readonly silenceMs: number;
  /** How long an answer may take before that: `silenceMs` for a near PostgreSQL, more for a far one. */
  readonly limitMs?: () => number;
  readonly onChange: (silent: boolean, error?: unknown) => void;
  readonly nowMs?: () => number;
};

const tickMs = 10;
/** A tick later than this means that the process itself was stalled: what looks like silence may be its own. */
const lagMs = 20;
/** An event loop that is always late may restart the count for this many ticks; after that silence counts anyway. */
const maxTicks = 50;
/** A process that stalled for longer than this was suspended rather than busy. */
const suspendedMs = 250;
/** An idle process sends a probe now and then, so that it finds a silence before a scanner has to wait for it. */
const idleMs = 1000;
/** The silence of a far PostgreSQL takes longer to find, and should still be found before a lease has run out. */
const farIdleMs = 500;
const probeEveryMs = 50;

/** Since when nothing has come back, and how many ticks ago. */
type Silence = { sinceMs: number; ticks: number; readonly refused: boolean };

type SilenceWaiter = { readonly ms: number; readonly callback: () => void };

/**
 * Knows whether PostgreSQL answers, and for how long it has not.
 *
 * Silence is not death: a frozen machine or a cut cable leaves connections open on which nothing comes back. It counts
 * only while the event loop of this process runs. After SIGCONT, or a long task, every timer is overdue at once although
 * PostgreSQL never had the time to answer; so the count starts again, even that of a silence already reported.
 */
export class DatabaseWatch {
  readonly #probe: () => Promise<unknown>;
  readonly #isRefusal: (error: unknown) => boolean;
  readonly #isUnreachable: (error: unknown) => boolean;
  readonly #silenceMs: number;
  readonly #limitMs: () => number;
  readonly #onChange: Options['onChange'];
  readonly #nowMs: () => number;
  readonly #waiters = new Set<SilenceWaiter>();
  readonly #listeners = new Set<() => void>();
  #unanswered = 0;
  #silence: Silence | null = null;
  #answeredAtMs: number;
  #tickedAtMs: number;
  #probedAtMs = Number.NEGATIVE_INFINITY;
  #isProbing = false;
  #isReported = false;
  #ticker: NodeJS.Timeout | undefined;
  #stopIdleProbes: (() => void) | undefined;

  constructor(options: Options) {
    this.#probe = options.probe;
    this.#isRefusal = options.isRefusal;
    this.#isUnreachable = options.isUnreachable;
    this.#silenceMs = options.silenceMs;
    this.#limitMs = options.limitMs ?? (() => options.silenceMs);
    this.#onChange = options.onChange;
    this.#nowMs = options.nowMs ?? (() => performance.now());
    this.#answeredAtMs = this.#nowMs();
    this.#tickedAtMs = this.#nowMs();
  }

  start(): void {
    // The first probe measures how far PostgreSQL is.
    this.#probeIfDue();
    const probeIfIdle = () => {
      const quietMs = this.limitMs() > this.#silenceMs ? farIdleMs : idleMs;
      if (this.#nowMs() - this.#answeredAtMs >= quietMs) this.#probeIfDue();
    };
    this.#stopIdleProbes = runEvery(farIdleMs / 2, probeIfIdle);
  }

  stop(): void {
    this.#stopIdleProbes?.();
    clearInterval(this.#ticker);
  }

  /** Runs a query and watches for its answer. */
  async track<Answer>(query: () => Promise<Answer>): Promise<Answer> {
    this.#unanswered++;
    this.#silence ??= { sinceMs: this.#nowMs(), ticks: 0, refused: false };
    this.#startTicking();
    try {
      const answer = await query();
      this.#unanswered--;
      this.#noteAnswer();
      return answer;
    } catch (error) {
      this.#unanswered--;
      if (!this.#isUnreachable(error)) this.#noteAnswer();
      else if (this.#isRefusal(error) && this.#silence) this.#silence = { ...this.#silence, refused: true };
      this.#evaluate(error);
      throw error;
    }
  }

  /**
   * For how long queries have gone unanswered while this process was running; 0 while PostgreSQL answers. The time by which the
   * answers of a far PostgreSQL are later than those of a near one does not count.
   */
  silentMs(): number {
    this.#noticeStall();
    if (this.#silence === null) return 0;
    const { ticks, refused } = this.#silence;
    const ms = Math.max(0, this.#unansweredMs() - (this.limitMs() - this.#silenceMs));
    return refused || ticks >= this.#maxTicks() ? Math.max(ms, this.#silenceMs) : ms;
  }

  /** How long an answer may take before PostgreSQL is silent. */
  limitMs(): number {
    return this.#limitMs();
  }

  /** Waits a moment for the probe that is under way. True where PostgreSQL answers, or may do so as far as is known. */
  async mayRecover(graceMs: number): Promise<boolean> {
    if (this.#silence?.refused) return false;
    await sleep(graceMs);
    return this.silentMs() < this.#silenceMs;
  }

  /** Another process has had an answer from PostgreSQL a moment ago: the count starts again. */
  resetSilence(): void {
    if (this.#silence) this.#silence = { sinceMs: this.#nowMs(), ticks: 0, refused: false };
  }

  /** Calls back once, when the silence has lasted this long. The function it returns cancels that. */
  onSilence(ms: number, callback: () => void): () => void {
    const waiter = { ms, callback };
    this.#waiters.add(waiter);
    return () => this.#waiters.delete(waiter);
  }

  /** Calls back whenever PostgreSQL answers. */
  onAnswer(callback: () => void): void {
    this.#listeners.add(callback);
  }

  #unansweredMs(): number {
    return this.#silence === null ? 0 : this.#nowMs() - this.#silence.sinceMs;
  }

  #maxTicks(): number {
    return maxTicks + Math.ceil((this.limitMs() - this.#silenceMs) / tickMs);
  }

  /** Does not wait for the next tick: after SIGCONT a request may be read before it. */
  #noticeStall(): void {
    const now = this.#nowMs();
    const stalledMs = now - this.#tickedAtMs;
    if (!this.#ticker || stalledMs <= tickMs + lagMs) return;
    this.#tickedAtMs = now;
    if (this.#silence === null) return;
    const wasSuspended = stalledMs > suspendedMs;
    const { ticks, refused } = this.#silence;
    this.#silence = { sinceMs: now, ticks: wasSuspended ? 0 : ticks, refused: refused && !wasSuspended };
  }

  #noteAnswer(): void {
    this.#answeredAtMs = this.#nowMs();
    this.#silence = this.#unanswered > 0 ? { sinceMs: this.#answeredAtMs, ticks: 0, refused: false } : null;
    if (this.#isReported) this.#onChange(false);
    this.#isReported = false;
    for (const callback of this.#listeners) callback();
  }

  /** Ticks only while a query is unanswered: an idle process is not woken a hundred times a second. */
  #startTicking(): void {
    if (this.#ticker) return;
    this.#tickedAtMs = this.#nowMs();
    this.#ticker = setInterval(() => this.#tick(), tickMs);
    this.#ticker.unref();
  }

  #tick(): void {
    this.#noticeStall();
    this.#tickedAtMs = this.#nowMs();
    if (this.#silence) this.#silence.ticks++;
    this.#evaluate();
    if (this.#silence !== null) return;
    clearInterval(this.#ticker);
    this.#ticker = undefined;
  }

  #evaluate(error?: unknown): void {
    const ms = this.silentMs();
    if (!this.#isReported && ms >= this.#silenceMs) {
      this.#isReported = true;
      this.#onChange(true, error);
    }
    // Over another connection, and early enough for an answer: one connection that hangs is not the silence of PostgreSQL.
    if (this.#unansweredMs() >= this.#silenceMs / 2) this.#probeIfDue();
    for (const waiter of this.#waiters) {
      if (ms < waiter.ms) continue;
      this.#waiters.delete(waiter);
      waiter.callback();
    }
  }

  /** One probe is under way at all times while nothing comes back. */
  #probeIfDue(): void {
    const now = this.#nowMs();
    if (this.#isProbing || now - this.#probedAtMs < probeEveryMs) return;
    this.#isProbing = true;
    this.#probedAtMs = now;
    this.track(this.#probe)
      .catch(() => undefined)
      .finally(() => {
        this.#isProbing = false;
      });
  }
}
