import type { AppError } from '../../kernel/errors.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { ConcurrencySlots, Slot } from './concurrency.ts';
import {
  createWaitingQueue,
  type QueueLimits,
  type WaitingKind,
  type WaitingQueue,
} from './waiting-queue.ts';

/**
 * Shares something scarce between accounts: each has a number of slots over all processes, and a process has a number
 * in total, more than one account can hold. A call that finds none waits in a queue of this process, in which the
 * accounts take turns.
 */
export type Share = {
  take(accountId: Uuid, request?: ShareRequest): Promise<HeldSlots>;
  /** Whether a call waits for a slot of this account. */
  isWanted(accountId: Uuid): boolean;
  readonly inUse: number;
  readonly waiting: number;
  close(): void;
};

export type ShareRequest = WaitingKind & {
  /** More than one slot if no other call needs them; one is enough. */
  readonly most?: number;
  /** A call that is aborted leaves the queue. */
  readonly signal?: AbortSignal | undefined;
  /** false: refused at once if no slot is free. */
  readonly waits?: boolean;
};

/** Slots that a call holds, at least one until all are released. */
export type HeldSlots = { readonly count: number; releaseOne(): void; release(): void };

/** Which slots are all in use if none was found: those of the account, or those of this process. */
export type Exhausted = 'account' | 'process';

export type ShareOptions = {
  readonly slots: ConcurrencySlots;
  readonly perProcess: number;
  readonly queueLimits: QueueLimits;
  /** The longest that a call waits. */
  readonly waitMs: number;
  readonly refusal: (exhausted: Exhausted) => AppError;
  readonly onRefused: () => void;
};

/**
 * A slot is handed from call to call within a process for this long; then the other processes get their chance. They
 * look for slots that became free at a random moment between these two intervals.
 */
const handOverMs = 500;
const [minPollMs, maxPollMs] = [25, 75];

type Waiter = { give(slot: Slot): void; refuse(): void };

export const createShare = (options: ShareOptions): Share => new AccountShare(options);

class AccountShare implements Share {
  readonly #options: ShareOptions;
  readonly #slots: ConcurrencySlots;
  readonly #queue: WaitingQueue<Waiter>;
  /** Accounts that have just released a slot to other processes: they look for one only at the next poll. */
  readonly #resting = new Set<Uuid>();
  #inUse = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #serving = false;
  #serveAgain = false;

  constructor(options: ShareOptions) {
    this.#options = options;
    this.#slots = options.slots;
    this.#queue = createWaitingQueue<Waiter>(options.queueLimits, waiter => waiter.refuse());
  }

  async take(accountId: Uuid, request: ShareRequest = {}): Promise<HeldSlots> {
    const { most = 1, signal, waits = true, isBackground = false } = request;
    signal?.throwIfAborted();
    if (this.#isClosed) throw this.#options.refusal('process');
    const available = this.#availableTo(accountId, isBackground);
    if (!this.#queue.has(accountId) && available > 0) {
      const found = await this.#find(accountId, Math.min(most, available));
      const held = this.#hold(accountId, found, isBackground);
      if (signal?.aborted) held.release();
      signal?.throwIfAborted();
      if (held.count > 0) return held;
    }
    if (!waits) throw this.#createRefusal(accountId);
    return await this.#wait(accountId, request);
  }

  isWanted(accountId: Uuid): boolean {
    return this.#queue.has(accountId);
  }

  get inUse(): number {
    return this.#inUse;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /** Calls that still wait are refused. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const waiter of this.#queue.clear()) waiter.refuse();
    this.#slots.close();
  }

  /** The process's slots are reserved before Redis is asked, since other calls ask meanwhile. */
  async #find(accountId: Uuid, most: number): Promise<Slot[]> {
    const { perAccount } = this.#slots;
    const free = this.#options.perProcess - this.#inUse;
    const wanted = Math.min(most, free, perAccount - this.#slots.heldBy(accountId));
    if (wanted <= 0) return [];
    this.#inUse += wanted;
    const found = await this.#slots.take(accountId, wanted);
    this.#inUse -= wanted - found.length;
    return found;
  }

  #hold(accountId: Uuid, taken: readonly Slot[], isBackground = false): HeldSlots {
    const held = [...taken];
    const releaseOne = () => {
      const slot = held.pop();
      if (slot) this.#free(accountId, slot, isBackground);
    };
    return {
      get count() {
        return held.length;
      },
      releaseOne,
      release() {
        while (held.length > 0) releaseOne();
      },
    };
  }

  #free(accountId: Uuid, slot: Slot, isBackground: boolean): void {
    const wasFull = this.#inUse >= this.#options.perProcess;
    const othersWait = this.#queue.othersBeside(accountId, isBackground).length > 0;
    const isYoung = performance.now() - slot.takenAtMs < handOverMs;
    if (isYoung && !(wasFull && othersWait) && this.#queue.has(accountId)) {
      this.#queue.shift(accountId)!.give(slot);
      return;
    }
    this.#inUse--;
    this.#slots.release(accountId, slot);
    if (this.#queue.has(accountId)) this.#resting.add(accountId);
    void this.#serve();
  }

  /** Gives free slots to the waiting calls, one account after the other, each asked for once until something changes. */
  async #serve(): Promise<void> {
    this.#serveAgain = this.#serving;
    if (this.#serving || this.#queue.length === 0) return;
    this.#serving = true;
    do {
      this.#serveAgain = false;
      await this.#serveRound();
    } while (this.#serveAgain);
    this.#serving = false;
    this.#pollLater();
  }

  async #serveRound(): Promise<void> {
    const asked = new Set(this.#resting);
    for (;;) {
      const next = this.#queue.turns().filter(accountId => !asked.has(accountId));
      const batch = next.slice(0, Math.max(0, this.#options.perProcess - this.#inUse));
      if (batch.length === 0) return;
      await Promise.all(
        batch.map(async accountId => {
          const [slot] = await this.#find(accountId, 1);
          if (!slot) asked.add(accountId);
          else this.#giveTo(accountId, slot);
        }),
      );
    }
  }

  #giveTo(accountId: Uuid, slot: Slot): void {
    const waiter = this.#queue.shift(accountId);
    if (waiter) waiter.give(slot);
    else this.#free(accountId, slot, false);
  }

  /** Other processes do not announce the slots that they release. */
  #pollLater(): void {
    if (this.#queue.length === 0 || this.#isClosed) return;
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        this.#resting.clear();
        void this.#serve();
      },
      minPollMs + Math.random() * (maxPollMs - minPollMs),
    );
  }

  /** A slot is kept for each waiting account that may take one. */
  #availableTo(accountId: Uuid, isBackground: boolean): number {
    const { heldBy, perAccount } = this.#slots;
    const others = this.#queue
      .othersBeside(accountId, isBackground)
      .filter(other => heldBy(other) < perAccount);
    return this.#options.perProcess - this.#inUse - others.length;
  }

  #createRefusal(accountId: Uuid): AppError {
    const hasOwnFree = this.#slots.heldBy(accountId) < this.#slots.perAccount;
    return this.#options.refusal(
      hasOwnFree && this.#availableTo(accountId, true) <= 0 ? 'process' : 'account',
    );
  }

  #refuse(accountId: Uuid): AppError {
    this.#options.onRefused();
    return this.#createRefusal(accountId);
  }

  #wait(accountId: Uuid, request: ShareRequest): Promise<HeldSlots> {
    const { signal, isAdmitted = false, isBackground } = request;
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        give: slot => {
          stop();
          resolve(this.#hold(accountId, [slot], isBackground));
        },
        refuse: () => {
          stop();
          reject(this.#refuse(accountId));
        },
      };
      const leave = (reason: () => unknown) => {
        if (!this.#queue.remove(accountId, waiter)) return;
        stop();
        reject(reason());
      };
      const onAbort = () => leave(() => signal?.reason);
      const timeout = isAdmitted
        ? undefined
        : setTimeout(() => leave(() => this.#refuse(accountId)), this.#options.waitMs);
      const stop = () => {
        clearTimeout(timeout);
        signal?.removeEventListener('abort', onAbort);
      };
      if (!this.#queue.add(accountId, waiter, request)) {
        waiter.refuse();
        return;
      }
      signal?.addEventListener('abort', onAbort);
      this.#pollLater();
    });
  }
}
