import type { Change, ChangeNumber } from './change.ts';
import type { StopChange } from './stops/stop.ts';

/** Where numbered changes can be read again. */
export type ChangeHistory = {
  state(): Promise<ChangeHistoryState>;
  /** Null where it is not there (any more). */
  read(n: number): Promise<Change | null>;
};

export type ChangeHistoryState = {
  /** Tells this history from one that replaced it. */
  readonly stream: string;
  readonly first: number;
  readonly last: number;
};

/** What applies changes in a redirect process. */
export type ChangeHandler = {
  invalidate(keys: readonly string[]): void;
  applyStops(changes: readonly StopChange[]): void;
};

type Options = {
  readonly history: ChangeHistory;
  readonly handler: ChangeHandler;
  /** Everything up to this number is applied. */
  readonly acknowledge: (inbox: string, n: number) => void;
  /** How long the history keeps a change at least. */
  readonly keptMs: number;
  readonly nowMs?: () => number;
};

type Position = ChangeNumber & { readonly id: string | null };

/** Reads that are under way at once while catching up. */
const readsAtOnce = 200;
/** One that has missed more forgets everything: that costs less than reading them. */
const maxMissed = 10_000;
/** Received while catching up. What does not fit is read from the history. */
const maxWaiting = 10_000;
/** Numbers whose ids are remembered, so that a message which was read from the history is recognized when it also arrives. */
const maxRecent = 1000;
const maxTries = 5;

/**
 * Applies numbered changes in order, each once. What was missed is read from the history, and only that is dropped from memory.
 * Where the history cannot tell what was missed, a new epoch begins: nothing that was remembered before it is trusted.
 */
export class ChangeSequence {
  readonly #history: ChangeHistory;
  readonly #handler: ChangeHandler;
  readonly #acknowledge: Options['acknowledge'];
  readonly #keptMs: number;
  readonly #nowMs: () => number;
  #position: Position | null = null;
  #epoch = 0;
  #caughtUp = 0;
  /** When the position was last known to be that of the history. */
  #confirmedAtMs = Number.NEGATIVE_INFINITY;
  readonly #waiting = new Map<number, Change>();
  readonly #recent = new Map<number, string>();
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;
  #lost: ChangeNumber | null = null;

  constructor(options: Options) {
    this.#history = options.history;
    this.#handler = options.handler;
    this.#acknowledge = options.acknowledge;
    this.#keptMs = options.keptMs;
    this.#nowMs = options.nowMs ?? (() => performance.now());
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** The number up to which every change is applied; 0 before anything is known. */
  get applied(): number {
    return this.#position?.n ?? 0;
  }

  /** Changes that did not arrive and were read from the history. */
  get caughtUp(): number {
    return this.#caughtUp;
  }

  /** A change has arrived. */
  receive(n: number, change: Change): void {
    const applied = this.#position?.n ?? Number.NaN;
    if (n === applied + 1 && this.#running === null) {
      this.#apply(n, change);
      this.#acknowledge(change.inbox, n);
    } else if (n <= applied && this.#recent.get(n) === change.id) {
      this.#acknowledge(change.inbox, n);
    } else {
      // A gap, or a number that was assigned before: the history tells which.
      if (this.#waiting.size < maxWaiting) this.#waiting.set(n, change);
      this.catchUp().catch(() => {
        // Whoever waits for the acknowledgement revokes the lease, and the next lease begins with catching up.
      });
    }
  }

  isBehind(newest: ChangeNumber): boolean {
    if (this.#lost?.n === newest.n && this.#lost.stream === newest.stream) return false;
    const at = this.#position;
    return at === null || at.stream !== newest.stream || at.n < newest.n;
  }

  /**
   * Resolves when every change is applied that had its number before the call. `newest` is a number that was assigned: where
   * the history does not have it, it has lost it, and nobody can tell what else.
   */
  async catchUp(newest: ChangeNumber | null = null): Promise<void> {
    await this.#catchUpOnce();
    const at = this.#position!;
    if (!newest || !this.isBehind(newest)) return;
    this.#lost = newest;
    if (newest.stream === at.stream) this.forget();
  }

  /** Begins a new epoch. */
  forget(): void {
    this.#epoch++;
  }

  /** A run under way may have asked the history before this call, so the next one counts. */
  #catchUpOnce(): Promise<void> {
    if (!this.#running) {
      this.#running = this.#run();
      return this.#running;
    }
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = null;
        return this.#catchUpOnce();
      });
    return this.#next;
  }

  async #run(): Promise<void> {
    try {
      for (let tries = 0; tries < maxTries; tries++) {
        const state = await this.#history.state();
        if (!(await this.#continues(state)) || !(await this.#readUpTo(state.last))) {
          await this.#restart();
          continue;
        }
        this.#applyWaiting();
        this.#confirmedAtMs = this.#nowMs();
        if (this.#waiting.size === 0) return;
      }
      this.#waiting.clear();
      throw new Error('The log of changes does not have a number that it has assigned');
    } finally {
      this.#running = null;
    }
  }

  /** Whether the history still has the change that was applied last, and all after it. */
  async #continues({ stream, first, last }: ChangeHistoryState): Promise<boolean> {
    const at = this.#position;
    if (!at || at.stream !== stream || last < at.n || first > at.n + 1 || last - at.n > maxMissed)
      return false;
    if (at.n === 0) return true;
    const found = at.n >= first ? await this.#history.read(at.n) : null;
    if (found) return found.id === at.id;
    // It has expired. Another with its number would be younger than the last look at the history, and still be there.
    return this.#nowMs() - this.#confirmedAtMs < this.#keptMs / 2;
  }

  /** False where one of them is not there. */
  async #readUpTo(last: number): Promise<boolean> {
    for (let after = this.applied; after < last; after = this.applied) {
      const numbers = Array.from({ length: Math.min(readsAtOnce, last - after) }, (_, i) => after + 1 + i);
      const changes = await Promise.all(numbers.map(n => this.#waiting.get(n) ?? this.#readMissed(n)));
      const newestOf = new Map<string, number>();
      for (const [i, change] of changes.entries()) {
        if (!change) return false;
        this.#apply(numbers[i]!, change);
        this.#waiting.delete(numbers[i]!);
        newestOf.set(change.inbox, numbers[i]!);
      }
      for (const [inbox, n] of newestOf) this.#acknowledge(inbox, n);
    }
    return true;
  }

  #readMissed(n: number): Promise<Change | null> {
    this.#caughtUp++;
    return this.#history.read(n);
  }

  /** Continues from the newest number, without anything that was remembered before. */
  async #restart(): Promise<void> {
    const { stream, first, last } = await this.#history.state();
    const newest = last > 0 && last >= first ? await this.#history.read(last) : null;
    // After the history was asked: a link that is read from here on has every change up to that number.
    this.forget();
    this.#recent.clear();
    // Some may have numbers of another history. The next look at this one reads what it has.
    this.#waiting.clear();
    this.#position = { stream, n: last, id: newest?.id ?? null };
    this.#confirmedAtMs = this.#nowMs();
    if (newest) this.#acknowledge(newest.inbox, last);
  }

  /** Afterwards only changes are left that others are missing before. */
  #applyWaiting(): void {
    for (const [n, change] of [...this.#waiting].sort(([a], [b]) => a - b)) {
      if (n > this.applied + 1) return;
      this.#waiting.delete(n);
      if (n === this.applied + 1) this.#apply(n, change);
      this.#acknowledge(change.inbox, n);
    }
  }

  #apply(n: number, change: Change): void {
    if (change.all) this.forget();
    if (change.keys.length > 0) this.#handler.invalidate(change.keys);
    if (change.stops.length > 0) this.#handler.applyStops(change.stops);
    this.#position = { ...this.#position!, n, id: change.id };
    this.#confirmedAtMs = this.#nowMs();
    this.#recent.set(n, change.id);
    this.#recent.delete(n - maxRecent);
  }
}
