import { setTimeout as sleep } from 'node:timers/promises';

/** The right to trust one's memory: held in Redis, and only while invalidations can be heard. */
export type Lease = {
  /** By this process's own clock. */
  isGood(): boolean;
  /** Another number for every lease: what was remembered under an earlier one counts no more. */
  readonly epoch: number;
  /** Since it was last sure of its lease; infinite where it never was. */
  renewedMsAgo(): number;
  start(): void;
  stop(): Promise<void>;
};

/** Where leases are written down, so that whoever edits knows whom to tell. */
export type LeaseBook = {
  join(id: string, leaseMs: number): Promise<void>;
  /** False where the lease has run out or was struck off. */
  renew(id: string, leaseMs: number): Promise<boolean>;
  leave(id: string): Promise<void>;
};

type Options = {
  readonly id: string;
  readonly book: LeaseBook;
  /** Whether invalidations reach this process, as far as it can tell. */
  readonly isHearing: () => boolean;
  /** Counts the times that hearing was lost, so that a loss between two looks is not overlooked. */
  readonly hearingLosses: () => number;
  readonly leaseMs: number;
  readonly renewEveryMs: number;
  readonly nowMs?: () => number;
};

/** Clocks of two machines may differ in speed, and a timer may be late: the process gives up a little early. */
const marginMs = 100;
/** Without a lease every scan costs a query, so a new one is sought at once. */
const joinEveryMs = 50;

export function createLease(options: Options): Lease {
  const {
    id,
    book,
    isHearing,
    hearingLosses,
    leaseMs,
    renewEveryMs,
    nowMs = () => performance.now(),
  } = options;
  const stopping = new AbortController();
  let epoch = 0;
  let goodUntilMs = 0;
  let renewedAtMs = Number.NEGATIVE_INFINITY;
  let losses = 0;
  let held = false;
  let loop: Promise<void> = Promise.resolve();

  async function turn(): Promise<void> {
    if (!isHearing()) return;
    // Counted from before the question: the book starts later, so the lease here ends first.
    const asked = nowMs();
    const lost = hearingLosses();
    if (held && lost === losses && (await book.renew(id, leaseMs))) {
      goodUntilMs = asked + leaseMs - marginMs;
      renewedAtMs = asked;
      return;
    }
    goodUntilMs = 0;
    held = false;
    epoch++;
    const joined = nowMs();
    await book.join(id, leaseMs);
    held = true;
    losses = lost;
    goodUntilMs = joined + leaseMs - marginMs;
    renewedAtMs = joined;
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      // Whatever went wrong, the lease runs out by itself, and the next turn tries again.
      await turn().catch(() => {});
      const waitMs = held ? renewEveryMs : joinEveryMs;
      await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  return {
    isGood: () => nowMs() < goodUntilMs && hearingLosses() === losses && isHearing(),
    get epoch() {
      return epoch;
    },
    renewedMsAgo: () => nowMs() - renewedAtMs,
    start() {
      loop = run();
    },
    async stop() {
      stopping.abort();
      await loop;
      goodUntilMs = 0;
      // A book that cannot be reached forgets by itself.
      await book.leave(id).catch(() => {});
    },
  };
}
