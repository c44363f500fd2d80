import { createRoundTrips, type RoundTrips } from '../../kernel/running/round-trips.ts';

/** A numbered change that processes have yet to acknowledge. */
export type Round = {
  readonly n: number;
  readonly sentAtMs: number;
  /** The processes that have not acknowledged it, nor any later one. */
  readonly missing: ReadonlySet<string>;
  /** Resolves when none is missing, and after so long at the latest. */
  within(ms: number): Promise<void>;
  /** Nobody waits for it any more. */
  close(): void;
};

/** How long each process takes to acknowledge. */
export type AckTimes = { of(process: string): RoundTrips; forget(process: string): void };

export function createAckTimes(limits: { readonly minMs: number; readonly maxMs: number }): AckTimes {
  const times = new Map<string, RoundTrips>();
  return {
    of(process) {
      const trips = times.get(process) ?? createRoundTrips(limits);
      times.set(process, trips);
      return trips;
    },
    forget: process => void times.delete(process),
  };
}

type OpenRound = Round & { readonly missing: Set<string>; onDone(): void };

type Known = {
  /** The highest number that it has acknowledged, and when. */
  n: number;
  atMs: number;
  /** Rounds that wait for it, in the order of their numbers. */
  readonly rounds: OpenRound[];
};

/** What has not acknowledged anything for so long has ended, or has a new connection. */
const forgetAfterMs = 60_000;
const pruneAbove = 64;

/**
 * Who has acknowledged which number. One acknowledgement covers every round up to its number: its cost is that of the rounds
 * that it covers, however many processes there are.
 */
export class Acknowledgements {
  readonly #times: AckTimes;
  readonly #nowMs: () => number;
  readonly #processes = new Map<string, Known>();
  #prunedAtMs: number;

  constructor(times: AckTimes, nowMs: () => number = () => performance.now()) {
    this.#times = times;
    this.#nowMs = nowMs;
    this.#prunedAtMs = nowMs();
  }

  add(process: string, n: number): void {
    const known = this.#known(process);
    const nowMs = this.#nowMs();
    if (n <= known.n) return;
    known.n = n;
    known.atMs = nowMs;
    const { rounds } = known;
    let covered = 0;
    for (; covered < rounds.length && rounds[covered]!.n <= n; covered++) {
      const round = rounds[covered]!;
      if (round.n === n) this.#times.of(process).observe(nowMs - round.sentAtMs);
      round.missing.delete(process);
      if (round.missing.size === 0) round.onDone();
    }
    rounds.splice(0, covered);
  }

  /** These processes have to acknowledge this number or a later one. Some may have done so already. */
  open(n: number, sentAtMs: number, processes: Iterable<string>): Round {
    this.#prune();
    const missing = new Set<string>();
    const done = Promise.withResolvers<void>();
    const round: OpenRound = {
      n,
      sentAtMs,
      missing,
      onDone: done.resolve,
      within: ms => (missing.size === 0 ? Promise.resolve() : waitFor(done.promise, ms)),
      close: () => {
        for (const process of missing) remove(this.#known(process).rounds, round);
      },
    };
    for (const process of processes) {
      const known = this.#known(process);
      if (known.n < n && !missing.has(process)) {
        missing.add(process);
        insert(known.rounds, round);
      } else if (known.n === n) {
        this.#times.of(process).observe(known.atMs - sentAtMs);
      }
    }
    return round;
  }

  #known(process: string): Known {
    const known = this.#processes.get(process);
    if (known) return known;
    const added: Known = { n: 0, atMs: this.#nowMs(), rounds: [] };
    this.#processes.set(process, added);
    return added;
  }

  #prune(): void {
    const nowMs = this.#nowMs();
    if (this.#processes.size <= pruneAbove || nowMs - this.#prunedAtMs < forgetAfterMs) return;
    this.#prunedAtMs = nowMs;
    for (const [process, { atMs, rounds }] of this.#processes) {
      if (rounds.length > 0 || nowMs - atMs < forgetAfterMs) continue;
      this.#processes.delete(process);
      this.#times.forget(process);
    }
  }
}

/** The registry may be read for a later round before it is for an earlier one. */
function insert(rounds: OpenRound[], round: OpenRound): void {
  let at = rounds.length;
  while (at > 0 && rounds[at - 1]!.n > round.n) at--;
  rounds.splice(at, 0, round);
}

function remove(rounds: OpenRound[], round: OpenRound): void {
  const at = rounds.indexOf(round);
  if (at >= 0) rounds.splice(at, 1);
}

async function waitFor(done: Promise<void>, ms: number): Promise<void> {
  const late = Promise.withResolvers<void>();
  // Where this process was blocked, an acknowledgement that arrived meanwhile still counts.
  const timer = setTimeout(() => setImmediate(late.resolve), ms);
  await Promise.race([done, late.promise]);
  clearTimeout(timer);
}
