import type { Uuid } from './ids.ts';

/** Who is calling, once the key or the session has been found good. */
export type Caller = {
  readonly accountId: Uuid;
  readonly mode: Mode;
  /** Stands in the short links of the account's test codes. */
  readonly testTag: string;
  readonly plan: Plan;
  readonly via: Via;
} & Standing;

/** How an account stands with the operator, and whether its owner's address is known. */
export type Standing = {
  /** Why it is stopped for safety, and since when. It reads, deletes and appeals, and does nothing else. */
  readonly suspension: { readonly reason: string; readonly since: Date } | null;
  /** Since when its links wait for its owner to confirm the e-mail address; null: they do not. */
  readonly heldSince: Date | null;
  /** Whether a stranger made it by signing up, and not the operator. */
  readonly signedUp: boolean;
};

/** Of an account that nothing is wrong with. */
export const goodStanding: Standing = { suspension: null, heldSince: null, signedUp: false };

/** What somebody came in by: a program by a key of the API, a person by a session of the dashboard. */
export type Via = { readonly kind: 'key' | 'user'; readonly id: Uuid };

/** Whoever runs the service, by a command: without a key and without a session. */
export type Operator = { readonly kind: 'operator'; readonly id: null };

/** A person who is signed in. */
export type Person = {
  readonly userId: Uuid;
  readonly sessionId: Uuid;
  readonly email: string;
  readonly name: string;
  readonly emailVerified: boolean;
  readonly isOperator: boolean;
};

/** Live and test are two worlds that never see one another. */
export type Mode = 'live' | 'test';

export const modes: readonly Mode[] = ['live', 'test'];

/** What an account may do. Plans are rows of a table, not code. */
export type Plan = {
  readonly name: string;
  readonly requestsPerMinute: number;
  /** null: no limit. */
  readonly codeQuota: number | null;
  /** What counts against the quota: codes made by API, or all live codes of the account. */
  readonly quotaScope: 'api' | 'pool';
  readonly webhooks: boolean;
  /** Live codes that sessions may make, apart from the API's. null: only the quota counts. */
  readonly sessionCodes: number | null;
  /** Codes in test mode. null: no limit. */
  readonly testCodes: number | null;
  /** Codes in any minute, by mode; see `creationLimitOf`. null: no limit. */
  readonly creationsPerMinute: number | null;
};

/** Codes that one call may make. */
export const bulkItems = 500;

/** Codes that an account may make in any minute, in each mode: a quota that fits into one bulk can be made in one. */
export const creationLimitOf = ({ creationsPerMinute, codeQuota }: Plan): number | null =>
  creationsPerMinute === null
    ? null
    : Math.max(creationsPerMinute, Math.min(codeQuota ?? bulkItems, bulkItems));
