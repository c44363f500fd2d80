/**
 * Stops all codes of an account, or all that lead to a host. Redirects keep all stops in memory, so that one row and one
 * message stop any number of codes at once.
 */
export type StopReason = 'suspended' | 'held' | 'closed' | 'blocked';

/** A stop that was set, or lifted where the reason is null. Of two for one subject the one with the higher number holds. */
export type StopChange = {
  readonly subject: string;
  readonly reason: StopReason | null;
  readonly n: number;
};

/** Broadcasts stops to every redirect process. When it resolves, each of them applies them. */
export type StopNotifier = { notify(changes: readonly StopChange[]): Promise<void> };

export const hostSubject = (host: string): string => `host/${host}`;
