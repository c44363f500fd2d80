import type { Uuid } from '../kernel/ids.ts';
import type { SentChange } from '../redirect/changes/sole-changes.ts';

/** What a command beside the only process tells it. */
export type CommandChange = SentChange & {
  /** Accounts whose keys, plan or state changed. */
  readonly accounts?: readonly Uuid[];
};
