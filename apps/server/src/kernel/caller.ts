import type { Permission, Role } from '@signpost/contract';
import type { Uuid } from './ids.ts';

/** Who is calling, once the key or the session is verified. */
export type Caller = {
  readonly accountId: Uuid;
  readonly mode: Mode;
  /** Part of the short links of the account's test codes. */
  readonly testTag: string;
  readonly plan: Plan;
  readonly via: Via;
  /** What the person is in the account; null for a key. */
  readonly role: Role | null;
  readonly permissions: ReadonlySet<Permission>;
  /** Its calls are counted apart from those of the account's mode. */
  readonly countedApart?: true;
} & Standing;

/** Whether an account is suspended, or waits for its owner to confirm the e-mail address. */
export type Standing = {
  /** Why and since when it is suspended. It can read, delete and appeal, and nothing else. */
  readonly suspension: { readonly reason: string; readonly since: Date } | null;
  /** Since when its links wait for its owner to confirm the e-mail address; null if they do not. */
  readonly heldSince: Date | null;
  /** Whether it was created by sign-up, and not by the operator. */
  readonly signedUp: boolean;
};

/** The standing of an account without restrictions. */
export const goodStanding: Standing = { suspension: null, heldSince: null, signedUp: false };

/** How the caller is authenticated: a program by an API key, a user by a session of the dashboard. */
export type Via = { readonly kind: 'key' | 'user'; readonly id: Uuid };

/** The operator of the service, by a command: without a key and without a session. */
export type Operator = { readonly kind: 'operator'; readonly id: null };

/** A user who is signed in. */
export type Person = {
  readonly userId: Uuid;
  readonly sessionId: Uuid;
  readonly email: string;
  readonly name: string;
  readonly emailVerified: boolean;
  readonly isOperator: boolean;
};

/** Live and test data are separate: neither is visible from the other. */
export type Mode = 'live' | 'test';

export const modes: readonly Mode[] = ['live', 'test'];

/** What an account may do. Plans are rows of a table, not code. */
export type Plan = {
  readonly name: string;
  readonly requestsPerMinute: number;
  /** null: no limit. */
  readonly codeQuota: number | null;
  /** What counts against the quota: codes created through the API, or all live codes of the account. */
  readonly quotaScope: 'api' | 'pool';
  readonly webhooks: boolean;
  /** Live codes that sessions may create, apart from the API's. null: only the quota counts. */
  readonly sessionCodes: number | null;
  /** Codes in test mode. null: no limit. */
  readonly testCodes: number | null;
  /** Codes per minute and mode; see `getCreationLimit`. null: no limit. */
  readonly creationsPerMinute: number | null;
};

/** Codes that one request may create. */
export const bulkItems = 500;

/** Codes that an account may create per minute in each mode: a quota that fits into one bulk request can be used in one. */
export const getCreationLimit = ({ creationsPerMinute, codeQuota }: Plan): number | null =>
  creationsPerMinute === null
    ? null
    : Math.max(creationsPerMinute, Math.min(codeQuota ?? bulkItems, bulkItems));
