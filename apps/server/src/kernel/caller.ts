import type { Uuid } from './ids.ts';

/** Who is calling, once the key has been found good. */
export type Caller = { readonly accountId: Uuid; readonly mode: Mode; readonly plan: Plan };

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
