import type { Uuid } from '../../../kernel/ids.ts';
import type { WaitReason } from '../../webhook.ts';

/** Asks a rate limiter for a number of attempts by an account at a host. */
export type ReservationRequest = {
  readonly host: string;
  readonly accountId: Uuid;
  /** Attempts a second, where the account's plan sets them. */
  readonly rate: number | null;
  /** Set where the endpoint has had no success yet: such an endpoint has a limit of its own. */
  readonly unproven: Uuid | null;
  readonly kind: RequestKind;
  readonly count: number;
  /** The time that an attempt needs before it can be sent. Reservations nearer than that would be wasted. */
  readonly leadMs?: number;
};

/** New events, new events that were deferred before, and messages that were attempted before. */
export type RequestKind = 'new' | 'deferred' | 'retry';

/** The first attempts of a request get a reserved time (`performance.now`) each, the rest a wait before the next request. */
export type RateDecision = {
  readonly reservedMs: readonly number[];
  readonly waitsMs: readonly number[];
  /** The reserved times by Redis' clock. Null where this process decided. */
  readonly decidedUs: readonly number[] | null;
  readonly reason: WaitReason;
  /** The distance that the rate leaves between two attempts. */
  readonly spacingMs: number;
};

/** The time (`performance.now`) at which one attempt may be sent to a host. */
export type Reservation = {
  readonly atMs: number;
  /** The distance to the account's next reservation at this host. */
  readonly spacingMs: number;
  readonly host: string;
  readonly isProven: boolean;
};

export type RateLimits = {
  /** Attempts a second by one account at one host. */
  readonly rate: number;
  /** All accounts together have this multiple of the rate. */
  readonly allAccountsFactor: number;
  /** Attempts per window at an endpoint that has had no success yet. */
  readonly unprovenAttempts: number;
  readonly unprovenWindowMs: number;
  /** How far ahead times are reserved. Retries reach less far than new events, to leave them room. */
  readonly horizonMs: Readonly<Record<RequestKind, number>>;
};

export const rateLimitsFor = (rate: number): RateLimits => ({
  rate,
  allAccountsFactor: 10,
  unprovenAttempts: 10,
  unprovenWindowMs: 60_000,
  horizonMs: { new: 1_000, deferred: 1_000, retry: 600 },
});
