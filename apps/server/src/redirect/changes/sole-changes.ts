import { AppError } from '../../kernel/errors.ts';
import type { ChangeNotifier } from './change-notifier.ts';
import type { ChangeHandler } from './change-sequence.ts';
import type { StopChange } from './stops/stop.ts';

/** What a process that is the only one knows of being so. */
export type SoleHolder = {
  isHeld(): boolean;
  readonly term: number;
  readonly timesLost: number;
  confirmedMsAgo(): number;
  /** Resolves when it is known to be the only one after this call. */
  confirm(): Promise<void>;
};

/** Links and stops that changed, as a command beside the process sends them. */
export type SentChange = { readonly keys?: readonly string[]; readonly stops?: readonly StopChange[] };

/** Changes in the only process that serves short links: each is applied in memory, before the edit is answered. */
export type SoleChanges = ChangeNotifier & {
  /** From now on changes are applied here. */
  attach(handler: ChangeHandler): void;
  /** A change that a command has committed. */
  apply(change: SentChange): void;
  /** How many were applied. */
  readonly applied: number;
};

export function createSoleChanges(sole: Pick<SoleHolder, 'confirm'>): SoleChanges {
  let handler: ChangeHandler | null = null;
  let applied = 0;

  function apply({ keys = [], stops = [] }: SentChange): void {
    applied++;
    if (keys.length > 0) handler?.invalidate(keys);
    if (stops.length > 0) handler?.applyStops(stops);
  }

  /** Had another process taken over before the commit, it would not know of the change: then this one must not say it holds. */
  async function applyAndConfirm(change: SentChange): Promise<void> {
    apply(change);
    await sole.confirm().catch(cause => {
      throw new AppError('unavailable', 'Your change is saved, but not confirmed yet. Save it again.', {
        cause,
        retryAfterSeconds: 1,
      });
    });
  }

  return {
    invalidate: keys => applyAndConfirm({ keys }),
    notify: stops => applyAndConfirm({ stops }),
    async number(keys) {
      await applyAndConfirm({ keys });
      return true;
    },
    attach(given) {
      handler = given;
    },
    apply,
    get applied() {
      return applied;
    },
  };
}
