import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The version of the protocol between redirect processes and those that edit. Each lease is registered with it, so
 * a change of the protocol can find out what every process understands. 1: invalidations name short codes, and leases
 * do not state a protocol. 2: invalidations name link keys. 3: stops of accounts and hosts are broadcast as well.
 */
export const protocol = 3;

/** Where leases are registered, so that an edit knows which processes it has to reach. */
export type LeaseRegistry = {
  /** Registers a lease under a name never used before and removes the former. Resolves to the registry's generation. */
  join(name: string, former: string): Promise<string>;
  /** False where the lease was revoked or the registry is another. `knownMs`: how long its generation has been known. */
  renew(name: string, generation: string, knownMs: number): Promise<boolean>;
  leave(name: string): Promise<void>;
  /** Removes leases that have not been renewed for a whole lease, by the clock of the process that sweeps. */
  sweep(): Promise<void>;
};

type Options = {
  readonly id: string;
  readonly registry: LeaseRegistry;
  readonly subscription: Subscription;
  readonly leaseMs: number;
  readonly renewEveryMs: number;
  readonly nowMs?: () => number;
};

/** The subscription to invalidations. */
type Subscription = {
  /** Whether invalidations reach this process, as far as it can tell. */
  isSubscribed(): boolean;
  /** How often the subscription was lost: a loss between two checks must not go unnoticed. */
  losses(): number;
};

type HeldLease = { readonly name: string; readonly generation: string; readonly sinceMs: number };

/** Clocks of two machines may differ in speed, and a timer may be late: the process gives up a little early. */
const marginMs = 100;
/** Without a lease every scan costs a query, so a failed attempt is repeated quickly. */
const joinEveryMs = 50;

/** The right to serve from memory: registered in Redis, and held only while invalidations are received. */
export class Lease {
  readonly #id: string;
  readonly #registry: LeaseRegistry;
  readonly #subscription: Subscription;
  readonly #leaseMs: number;
  readonly #renewEveryMs: number;
  readonly #nowMs: () => number;
  readonly #stopping = new AbortController();
  #epoch = 0;
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
    this.#subscription = options.subscription;
    this.#leaseMs = options.leaseMs;
    this.#renewEveryMs = options.renewEveryMs;
    this.#nowMs = options.nowMs ?? (() => performance.now());
  }

  /** By this process's own clock. */
  isGood(): boolean {
    return (
      this.#nowMs() < this.#goodUntilMs &&
      this.#subscription.losses() === this.#losses &&
      this.#subscription.isSubscribed()
    );
  }

  /** Each lease has another number: what was cached under an earlier one is no longer trusted. */
  get epoch(): number {
    return this.#epoch;
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
    while (!signal.aborted) {
      // After any error the lease runs out by itself, and the next iteration tries again.
      const isHeld = await this.#renewOrJoin().then(
        () => this.#held !== null,
        () => false,
      );
      await sleep(isHeld ? this.#renewEveryMs : joinEveryMs, undefined, { signal }).catch(() => {});
    }
  }

  async #renewOrJoin(): Promise<void> {
    if (!this.#subscription.isSubscribed()) return this.#leave();
    const losses = this.#subscription.losses();
    if (this.#held && losses === this.#losses && (await this.#renew(this.#held))) {
      // Nothing depends on the result: what it leaves is swept the next time or by another process.
      return this.#registry.sweep().catch(() => {});
    }
    this.#lose();
    this.#epoch++;
    const former = this.#name;
    // A name is used once: a request that reaches Redis late cannot bring a revoked lease back.
    this.#name = `${this.#id}/${this.#epoch}/v${protocol}`;
    const joinedMs = this.#nowMs();
    const generation = await this.#registry.join(this.#name, former);
    this.#held = { name: this.#name, generation, sinceMs: this.#nowMs() };
    this.#losses = losses;
    this.#goodUntilMs = joinedMs + this.#leaseMs - marginMs;
    this.#renewedAtMs = joinedMs;
  }

  /**
   * Renews only a lease that is still good, and only if the answer comes while it is: an edit that could not reach
   * Redis for a whole lease has counted on its end.
   */
  async #renew({ name, generation, sinceMs }: HeldLease): Promise<boolean> {
    // Counted from before the request: a revocation comes later than this, so the lease ends here first.
    const askedMs = this.#nowMs();
    if (askedMs >= this.#goodUntilMs) return false;
    const renewed = await this.#registry.renew(name, generation, askedMs - sinceMs);
    if (!renewed || this.#nowMs() >= this.#goodUntilMs) return false;
    this.#goodUntilMs = askedMs + this.#leaseMs - marginMs;
    this.#renewedAtMs = askedMs;
    return true;
  }

  /** A process that receives no invalidations cannot use its lease, and edits should not wait for it. */
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
