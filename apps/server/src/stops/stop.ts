import type { Uuid } from '../kernel/ids.ts';

/**
 * What nobody is sent to, however many codes lead there: an account or a host. Redirects keep all stops in memory, so that
 * one row and one message stop any number of codes at once.
 */
export type StopReason = 'suspended' | 'held' | 'closed' | 'blocked';

/** A stop that was set, or lifted where the reason is null. Of two of one subject the one with the higher number holds. */
export type StopChange = {
  readonly subject: string;
  readonly reason: StopReason | null;
  readonly n: number;
};

/** Tells every redirect process; when it resolves, each of them keeps to it. */
export type StopTeller = { tell(changes: readonly StopChange[]): Promise<void> };

export const accountSubject = (accountId: Uuid): string => `account/${accountId}`;
export const hostSubject = (host: string): string => `host/${host}`;
