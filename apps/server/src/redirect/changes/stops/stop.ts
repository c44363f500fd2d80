import type { Uuid } from '../../../kernel/ids.ts';

/**
 * Stops all codes of an account, or all that lead to a host. Redirects keep all stops in memory, so that one row and one
 * message stop any number of codes at once.
 */
export type StopReason = 'suspended' | 'held' | 'closed' | 'blocked';

/**
 * A stop that was set, or lifted where the reason is null; or a domain as it is from now on. Of two for one subject the one
 * with the higher number holds.
 */
export type StopChange = {
  readonly subject: string;
  readonly reason: StopReason | null;
  readonly n: number;
  readonly domain?: StoredDomain;
};

/** A domain as redirects are sent it. */
export type StoredDomain = {
  readonly account: Uuid;
  readonly space: string;
  readonly active: boolean;
  readonly root: string | null;
  readonly notFound: string | null;
};

/** Broadcasts stops and domains to every redirect process. When it resolves, each of them applies them. */
export type StopNotifier = { notify(changes: readonly StopChange[]): Promise<void> };

export const hostSubject = (host: string): string => `host/${host}`;

export const domainSubject = (host: string): string => `domain/${host}`;

/** As queries return it. */
export type StopRow = {
  readonly subject: string;
  readonly reason: StopReason | null;
  readonly n: number;
  readonly domain: StoredDomain | null;
};

/** Without the domain where there is none: a message has thousands of changes. */
export const toChange = ({ subject, reason, n, domain }: StopRow): StopChange =>
  domain === null ? { subject, reason, n } : { subject, reason, n, domain };
