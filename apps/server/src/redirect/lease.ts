import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How redirects and those who edit speak with one another: a lease is registered with it, so that a change of the
 * protocol can tell what every process understands. 1: invalidations name short codes, and no lease says its protocol.
 * 2: they name keys of links. 3: stops of accounts and hosts are announced as well.
 */
export const protocol = 3;

/** The right to trust one's memory: registered in Redis, and only while invalidations can be heard. */
export type Lease = {
  /** By this process's own clock. */
  isGood(): boolean;
  /** Another number for every lease: what was remembered under an earlier one counts no more. */
  readonly epoch: number;
  /** Since it was last sure of its lease; infinite where it never was. */
  renewedMsAgo(): number;
  /** How often a lease that was held ended before its process did. */
  readonly timesLost: number;
  start(): void;
  stop(): Promise<void>;
};

/** Where leases are registered, so that an edit knows which processes it has to reach. */
export type LeaseBook = {
  /** Registers a lease under a name never used before, in place of the former. Resolves to the registry's generation. */
  join(name: string, former: string): Promise<string>;
  /** False where the lease was struck or the registry is another. `seenMs`: how long its generation has been known. */
  renew(name: string, generation: string, seenMs: number): Promise<boolean>;
  leave(name: string): Promise<void>;
  /** Removes leases that have not been renewed for a whole lease, by the clock of the process that sweeps. */
  sweep(): Promise<void>;
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
/** Without a lease every scan costs a query, so a new one is sought at once; so is an answer that did not come. */
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
  let timesLost = 0;
  let held: { readonly name: string; readonly generation: string; readonly sinceMs: number } | null = null;
  let name = '';
  let loop: Promise<void> = Promise.resolve();

  /** Trusts nothing any more. */
  function giveUp(): void {
    goodUntilMs = 0;
    held = null;
  }

  function lose(): void {
    if (held) timesLost++;
    giveUp();
  }

  async function turn(): Promise<void> {
    if (!isHearing()) return retreat();
    const lost = hearingLosses();
    if (held && lost === losses && (await renew(held.name, held.generation, held.sinceMs))) {
      // Nobody waits for this, and what it leaves is swept the next time or by another process.
      return book.sweep().catch(() => {});
    }
    lose();
    epoch++;
    const former = name;
    // A name is used once: a question of before that is late at Redis cannot bring a struck lease back.
    name = `${id}/${epoch}/v${protocol}`;
    const joinedMs = nowMs();
    const generation = await book.join(name, former);
    held = { name, generation, sinceMs: nowMs() };
    losses = lost;
    goodUntilMs = joinedMs + leaseMs - marginMs;
    renewedAtMs = joinedMs;
  }

  /**
   * Only a lease that is still good is renewed, and only if the answer comes while it is: an edit that could not reach Redis
   * for a whole lease has counted on its end.
   */
  async function renew(leaseName: string, generation: string, sinceMs: number): Promise<boolean> {
    // Counted from before the question: anybody who strikes the lease does so later, so it ends here first.
    const askedMs = nowMs();
    if (askedMs >= goodUntilMs) return false;
    const renewed = await book.renew(leaseName, generation, askedMs - sinceMs);
    if (!renewed || nowMs() >= goodUntilMs) return false;
    goodUntilMs = askedMs + leaseMs - marginMs;
    renewedAtMs = askedMs;
    return true;
  }

  /** Where nothing is heard, the lease is of no use, and edits should not wait for it. */
  async function retreat(): Promise<void> {
    if (!held) return;
    lose();
    await book.leave(name);
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      // Whatever went wrong, the lease runs out by itself, and the next turn tries again.
      const isWell = await turn().then(
        () => held !== null,
        () => false,
      );
      await sleep(isWell ? renewEveryMs : joinEveryMs, undefined, { signal: stopping.signal }).catch(
        () => {},
      );
    }
  }

  return {
    isGood: () => nowMs() < goodUntilMs && hearingLosses() === losses && isHearing(),
    get epoch() {
      return epoch;
    },
    renewedMsAgo: () => nowMs() - renewedAtMs,
    get timesLost() {
      return timesLost;
    },
    start() {
      loop = run();
    },
    async stop() {
      stopping.abort();
      await loop;
      giveUp();
      // Where the registry cannot be reached, others sweep it.
      await book.leave(name).catch(() => {});
    },
  };
}
