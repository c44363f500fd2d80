import type { Uuid } from '../../kernel/ids.ts';
import type { ConcurrencySlots, Slot } from './concurrency.ts';

/** Slots that this process counts in its memory. */
export function createLocalSlots(perAccount: number): ConcurrencySlots {
  const held = new Map<Uuid, Set<string>>();
  let lastId = 0;
  const heldBy = (accountId: Uuid) => held.get(accountId)?.size ?? 0;
  return {
    perAccount,
    async take(accountId, most) {
      const ids = held.get(accountId) ?? new Set<string>();
      const slots: Slot[] = [];
      while (slots.length < most && ids.size < perAccount) {
        const slot = { id: String(++lastId), takenAtMs: performance.now() };
        ids.add(slot.id);
        slots.push(slot);
      }
      if (ids.size > 0) held.set(accountId, ids);
      return slots;
    },
    release(accountId, { id }) {
      const ids = held.get(accountId);
      if (ids?.delete(id) && ids.size === 0) held.delete(accountId);
    },
    heldBy,
    close: () => held.clear(),
  };
}
