import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeNumber } from './change.ts';

/**
 * The version of the protocol between redirect processes and those that edit. Each lease is registered with it, so
 * a change of the protocol can find out what every process understands. 1: invalidations name short codes, and leases
 * do not state a protocol. 2: invalidations name link keys. 3: stops of accounts and hosts are broadcast as well.
 * 4: changes are numbered, and numbers are acknowledged.
 */
export const protocol = 4;

/** Where leases are registered, so that an edit knows which processes it has to reach. */
export type LeaseRegistry = {
  /** Registers a lease under a name never used before and removes the former. */
  join(name: string, former: string): Promise<Joined>;
  /** Null where the lease was revoked or the registry is another. `knownMs`: how long its generation has been known. */
  renew(name: string, generation: string, knownMs: number): Promise<Renewed | null>;
  leave(name: string): Promise<void>;
  /** Removes leases that have not been renewed for a whole lease, by the clock of the process that sweeps. */
  sweep(): Promise<void>;
};

type Joined = {
  /** Identifies the registry: a lost one is replaced by another. */
  readonly generation: string;
  /** The highest number of a change that the registry knows of. */
  readonly newest: ChangeNumber | null;
};

export type Renewed = {
  readonly newest: ChangeNumber | null;
  /** Whether it is up to this process to sweep. */
  readonly mustSweep: boolean;
};

type Options = {
  readonly id: string;
  readonly registry: LeaseRegistry;
  readonly changes: ReceivedChanges;
  readonly leaseMs: number;
  readonly renewEveryMs: number;
  readonly nowMs?: () => number;
};

/** The changes that this process receives and applies. */
export type ReceivedChanges = {
  /** Whether they reach this process, as far as it can tell. */
  isSubscribed(): boolean;
  /** How often the subscription was lost: a loss between two checks must not go unnoticed. */
  losses(): number;
  /** Whether this number is not applied yet. */
  isBehind(newest: ChangeNumber): boolean;
  /** Resolves when every change is applied that had its number before the call. */
  catchUp(newest: ChangeNumber | null): Promise<void>;
  /** Resolves when every change is applied that was committed before the call and has no number yet. */
  applyUnnumbered(): Promise<void>;
};

type HeldLease = { readonly name: string; readonly generation: string; readonly sinceMs: number };

/** Clocks of two machines may differ in speed, and a timer may be late: the process gives up a little early. */
const marginMs = 100;
/**
 * Without a lease every scan costs a query, so a failed attempt is repeated quickly. But many processes may have lost theirs at
 * the same moment, so each further one waits longer, and each process a little differently.
 */
const [minRetryMs, maxRetryMs] = [50, 400];

/**
 * The right to serve from memory: registered in Redis, and held only while changes are received. It begins with catching up,
 * so what was remembered before it may still be used.
 */
export class Lease {
  readonly #id: string;
  readonly #registry: LeaseRegistry;
  readonly #changes: ReceivedChanges;
  readonly #leaseMs: number;
  readonly #renewEveryMs: number;
  readonly #nowMs: () => number;
  readonly #stopping = new AbortController();
  #term = 0;
  #goodUntilMs = 0;
  #renewedAtMs = Number.NEGATIVE_INFINITY;
  #losses = 0;
  #timesLost = 0;
  #held: HeldLease | null = null;
  #name = '';
  #loop: Promise<void> = Promise.resolve();

  constructor(options: Options) {
    this.#id = options.id;
    this.#registry = options.registry;
    this.#changes = options.changes;
    this.#leaseMs = options.leaseMs;
    this.#renewEveryMs = options.renewEveryMs;
    this.#nowMs = options.nowMs ?? (() => performance.now());
  }

  /** By this process's own clock. */
  isGood(): boolean {
    return (
      this.#nowMs() < this.#goodUntilMs &&
      this.#changes.losses() === this.#losses &&
      this.#changes.isSubscribed()
    );
  }

  /** Each lease has another number. */
  get term(): number {
    return this.#term;
  }

  /** Infinite where the lease was never held. */
  renewedMsAgo(): number {
    return this.#nowMs() - this.#renewedAtMs;
  }

  /** How often a held lease ended before its process did. */
  get timesLost(): number {
    return this.#timesLost;
  }

  start(): void {
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
    this.#drop();
    // Where the registry cannot be reached, another process sweeps the lease.
    await this.#registry.leave(this.#name).catch(() => {});
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted; ) {
      // After any error the lease runs out by itself, and the next iteration tries again.
      const isHeld = await this.#renewOrJoin().then(
        () => this.#held !== null,
        () => false,
      );
      failures = isHeld ? 0 : failures + 1;
      const retryMs = Math.min(minRetryMs * 2 ** (failures - 1), maxRetryMs) * (0.75 + Math.random() / 2);
      await sleep(isHeld ? this.#renewEveryMs : retryMs, undefined, { signal }).catch(() => {});
    }
  }

  async #renewOrJoin(): Promise<void> {
    if (!this.#changes.isSubscribed()) return this.#leave();
    const losses = this.#changes.losses();
    if (this.#held && losses === this.#losses) {
      const renewed = await this.#renew(this.#held);
      if (renewed) return this.#afterRenewal(renewed);
    }
    this.#lose();
    await this.#join(losses);
  }

  /**
   * Registers first and catches up then: an edit that is committed later finds this process in the registry. Changes without
   * a number are read before the newest number is asked for, because they disappear once they have one.
   */
  async #join(losses: number): Promise<void> {
    // The long part, outside of the lease. Who was never cut off cannot have missed much.
    if (losses !== this.#losses) await this.#changes.catchUp(null);
    this.#term++;
    const former = this.#name;
    // A name is used once: a request that reaches Redis late cannot bring a revoked lease back.
    this.#name = `${this.#id}/${this.#term}/v${protocol}`;
    const joinedMs = this.#nowMs();
    const goodUntilMs = joinedMs + this.#leaseMs - marginMs;
    try {
      const { generation, newest } = await this.#registry.join(this.#name, former);
      const sinceMs = this.#nowMs();
      await this.#changes.applyUnnumbered();
      await this.#changes.catchUp(newest);
      if (this.#nowMs() >= goodUntilMs) throw new Error('Catching up took longer than a lease');
      this.#held = { name: this.#name, generation, sinceMs };
    } catch (error) {
      // Edits should not wait for it. Where Redis is away, another process sweeps the lease.
      await this.#registry.leave(this.#name).catch(() => {});
      throw error;
    }
    this.#losses = losses;
    this.#goodUntilMs = goodUntilMs;
    this.#renewedAtMs = joinedMs;
  }

  /**
   * Renews only a lease that is still good, and only if the answer comes while it is: an edit that could not reach
   * Redis for a whole lease has counted on its end.
   */
  async #renew({ name, generation, sinceMs }: HeldLease): Promise<Renewed | null> {
    // Counted from before the request: a revocation comes later than this, so the lease ends here first.
    const askedMs = this.#nowMs();
    if (askedMs >= this.#goodUntilMs) return null;
    const renewed = await this.#registry.renew(name, generation, askedMs - sinceMs);
    if (!renewed || this.#nowMs() >= this.#goodUntilMs) return null;
    this.#goodUntilMs = askedMs + this.#leaseMs - marginMs;
    this.#renewedAtMs = askedMs;
    return renewed;
  }

  async #afterRenewal({ newest, mustSweep }: Renewed): Promise<void> {
    // A message was lost or is under way. Where this fails, the edit that waits for it revokes the lease.
    if (newest && this.#changes.isBehind(newest)) this.#changes.catchUp(newest).catch(() => {});
    // Nothing depends on the result: what it leaves is swept the next time or by another process.
    if (mustSweep) await this.#registry.sweep().catch(() => {});
  }

  /** A process that receives no changes cannot use its lease, and edits should not wait for it. */
  async #leave(): Promise<void> {
    if (!this.#held) return;
    this.#lose();
    await this.#registry.leave(this.#name);
  }

  #lose(): void {
    if (this.#held) this.#timesLost++;
    this.#drop();
  }

  #drop(): void {
    this.#goodUntilMs = 0;
    this.#held = null;
  }
}
