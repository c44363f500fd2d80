import type { Uuid } from '../kernel/ids.ts';
import type { Attempts } from './attempts.ts';
import type { CreationKind, CreationLimiter } from './creation-limiter.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { ConcurrencySlots } from './shares/concurrency.ts';

/** The limits that every process of an installation keeps together: in Redis, or in the one process that there is. */
export type Limiters = {
  calls(options: SlidingWindowOptions): RateLimiter;
  creations(options: SlidingWindowOptions & { readonly kind?: CreationKind }): CreationLimiter;
  slots(options: SlotOptions): ConcurrencySlots;
  /** `secret` is the key of the hashes under which subjects are counted. */
  attempts(secret: string): Attempts;
  /** Ends the account's token, so that no cached key of it is used; see `accounts/key-cache.ts`. */
  endToken(accountId: Uuid): Promise<unknown>;
};

type SlidingWindowOptions = {
  readonly windowMs: number;
  /** Called for each decision that a process made alone because it could not reach the others. */
  readonly onAlone: () => void;
};

type SlotOptions = {
  /** What the slots are for. */
  readonly kind: string;
  readonly perAccount: number;
  readonly onAlone: () => void;
};

/** Accounts whose calls and creations a process counts by itself. */
export const maxCounted = { calls: 50_000, creations: 20_000 } as const;
