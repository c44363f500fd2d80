import type { Uuid } from '../kernel/ids.ts';
import type { WaitReason } from './webhook.ts';

/** So many tries of an account at a host. */
export type Ask = {
  readonly host: string;
  readonly accountId: Uuid;
  /** Tries a second, where the account's plan says so. */
  readonly rate: number | null;
  /** Set where the endpoint has had no success yet: it has a limit of its own. */
  readonly unproven: Uuid | null;
  readonly kind: AskKind;
  readonly count: number;
  /** How long it takes before the first can be made: moments that are nearer would be wasted. */
  readonly leadMs?: number;
};

/** New events as they come, new events that have waited, and what was tried before. */
export type AskKind = 'live' | 'parked' | 'again';

/** The first of them get a moment (`performance.now`) each; the rest are told how long to wait before they ask again. */
export type Turns = {
  readonly slotsMs: readonly number[];
  readonly waitsMs: readonly number[];
  /** The moments by the clock of Redis, where it decided. */
  readonly decidedUs: readonly number[] | null;
  readonly reason: WaitReason;
  /** What the rate leaves between two of them. */
  readonly spacingMs: number;
};

export type Limits = {
  /** Tries a second of one account at one host. */
  readonly rate: number;
  /** How often the rate all accounts together may have. */
  readonly allTimes: number;
  /** Tries in a window of an endpoint that has had no success yet. */
  readonly unprovenMost: number;
  readonly unprovenWindowMs: number;
  /** How far ahead moments are given out: to new events, and to what was tried before, which leaves them room. */
  readonly aheadMs: Readonly<Record<AskKind, number>>;
};

export const limitsFor = (rate: number): Limits => ({
  rate,
  allTimes: 10,
  unprovenMost: 10,
  unprovenWindowMs: 60_000,
  aheadMs: { live: 1_000, parked: 1_000, again: 600 },
});
