import type { Clock } from '../kernel/clock.ts';
import type { Uuid } from '../kernel/ids.ts';

/** Notes when keys are used, and writes it to the database at most once a minute: never while a request waits. */
export type KeyUses = {
  note(keyId: Uuid): void;
  /** Writes what was noted since the last flush. */
  flush(): Promise<void>;
};

type Parts = {
  readonly store: { noteUses(uses: ReadonlyMap<Uuid, Date>): Promise<void> };
  readonly clock: Clock;
};

/** How often `flush` should be called. */
export const flushEveryMs = 60_000;

/** Keys noted between two flushes. More than these are skipped until the next, since this is only a hint to people. */
const maxNoted = 50_000;

export function createKeyUses({ store, clock }: Parts): KeyUses {
  let noted = new Map<Uuid, Date>();
  return {
    note(keyId) {
      if (noted.size < maxNoted || noted.has(keyId)) noted.set(keyId, clock.now());
    },
    async flush() {
      if (noted.size === 0) return;
      const uses = noted;
      noted = new Map();
      await store.noteUses(uses);
    },
  };
}
