import type { Uuid } from './ids.ts';

/** Who is calling, once the key or the session has been found good. */
export type Caller = {
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly plan: Plan;
  readonly via: Via;
};

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
};
