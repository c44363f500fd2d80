import type { Uuid } from '../kernel/ids.ts';

/** Calls that wait in this process, a queue for each account. The accounts take turns; within one, first in, first out. */
export type WaitingQueue<Waiter> = {
  /**
   * false: the queue is full, in total or for this account. In a queue that is full in total, the first waiter of an
   * account displaces the last one of the account with the most.
   */
  add(accountId: Uuid, waiter: Waiter): boolean;
  /** Takes out the first of an account. */
  shift(accountId: Uuid): Waiter | undefined;
  /** Takes out one that no longer waits; false where it had left before. */
  remove(accountId: Uuid, waiter: Waiter): boolean;
  has(accountId: Uuid): boolean;
  /** Accounts that wait, the next one first. */
  turns(): readonly Uuid[];
  /** Puts an account that has had its turn behind the others. */
  rotate(accountId: Uuid): void;
  readonly length: number;
};

export type QueueLimits = { readonly total: number; readonly perAccount: number };

export function createWaitingQueue<Waiter>(
  limits: QueueLimits,
  onDisplaced: (waiter: Waiter) => void,
): WaitingQueue<Waiter> {
  // A Map keeps its order of insertion: an account that had its turn is inserted again at the end.
  const queues = new Map<Uuid, Waiter[]>();
  let length = 0;

  function onTaken(accountId: Uuid, queue: readonly Waiter[]): void {
    length--;
    if (queue.length === 0) queues.delete(accountId);
  }

  /** Whether there was a waiter to displace: each account keeps its first. */
  function displaceOne(): boolean {
    const longest = [...queues.values()].reduce(
      (longer, queue) => (queue.length > longer.length ? queue : longer),
      [],
    );
    if (longest.length < 2) return false;
    length--;
    onDisplaced(longest.pop()!);
    return true;
  }

  return {
    add(accountId, waiter) {
      const queue = queues.get(accountId) ?? [];
      if (queue.length >= limits.perAccount) return false;
      if (length >= limits.total && (queue.length > 0 || !displaceOne())) return false;
      queue.push(waiter);
      queues.set(accountId, queue);
      length++;
      return true;
    },
    shift(accountId) {
      const queue = queues.get(accountId);
      const waiter = queue?.shift();
      if (queue && waiter !== undefined) onTaken(accountId, queue);
      return waiter;
    },
    remove(accountId, waiter) {
      const queue = queues.get(accountId);
      const index = queue?.indexOf(waiter) ?? -1;
      if (!queue || index < 0) return false;
      queue.splice(index, 1);
      onTaken(accountId, queue);
      return true;
    },
    has: accountId => queues.has(accountId),
    turns: () => [...queues.keys()],
    rotate(accountId) {
      const queue = queues.get(accountId);
      if (!queue) return;
      queues.delete(accountId);
      queues.set(accountId, queue);
    },
    get length() {
      return length;
    },
  };
}
