import type { Uuid } from '../../kernel/ids.ts';

/**
 * Calls that wait in this process, a queue for each account. The accounts take turns, and one that was given much waits
 * longer for its next turn; within an account, first in, first out.
 */
export type WaitingQueue<Waiter> = {
  /**
   * false: the queue is full, in total or for this account. In a queue that is full in total, the first waiter of an
   * account displaces the last one of the account with the most.
   */
  add(accountId: Uuid, waiter: Waiter, kind?: WaitingKind): boolean;
  /** Takes out the first of an account, which has then had its turn. */
  shift(accountId: Uuid): Waiter | undefined;
  /** Takes out one that no longer waits; false where it had left before. */
  remove(accountId: Uuid, waiter: Waiter): boolean;
  /** Takes out all. */
  clear(): Waiter[];
  has(accountId: Uuid): boolean;
  /** Accounts that wait, the next one first. */
  turns(): readonly Uuid[];
  /** The other accounts that wait and that an account has to leave a slot to. */
  othersBeside(accountId: Uuid, isBackground: boolean): readonly Uuid[];
  readonly length: number;
};

export type QueueLimits = { readonly total: number; readonly perAccount: number };

export type WaitingKind = {
  /** How much its turn counts, 1 unless given: the cost of the work, roughly. */
  readonly weight?: number;
  /** A part of work that was admitted before: never refused nor displaced, and outside of the limits. */
  readonly isAdmitted?: boolean;
  /** Has its turn when nothing else waits. */
  readonly isBackground?: boolean;
};

type Entry<Waiter> = { readonly waiter: Waiter; readonly weight: number; readonly isAdmitted: boolean };

type AccountQueue<Waiter> = {
  readonly entries: Entry<Waiter>[];
  readonly isBackground: boolean;
  /** When it has its next turn, on a clock that goes on by the weight of what was given. */
  turn: number;
};

export function createWaitingQueue<Waiter>(
  limits: QueueLimits,
  onDisplaced: (waiter: Waiter) => void,
): WaitingQueue<Waiter> {
  const queues = new Map<Uuid, AccountQueue<Waiter>>();
  let now = 0;

  const refusable = (queue: AccountQueue<Waiter> | undefined) =>
    queue?.entries.filter(({ isAdmitted }) => !isAdmitted) ?? [];
  const countRefusable = () => [...queues.values()].reduce((sum, queue) => sum + refusable(queue).length, 0);

  function take(accountId: Uuid, queue: AccountQueue<Waiter>, index: number): Entry<Waiter> | undefined {
    const [entry] = queue.entries.splice(index, 1);
    if (queue.entries.length === 0) queues.delete(accountId);
    return entry;
  }

  /** Whether there was a waiter to displace: each account keeps its first. */
  function displaceOne(): boolean {
    const [longest] = [...queues].toSorted(([, a], [, b]) => refusable(b).length - refusable(a).length);
    const displaced = refusable(longest?.[1]);
    if (!longest || displaced.length < 2) return false;
    const [accountId, queue] = longest;
    onDisplaced(take(accountId, queue, queue.entries.lastIndexOf(displaced.at(-1)!))!.waiter);
    return true;
  }

  return {
    add(accountId, waiter, { weight = 1, isAdmitted = false, isBackground = false } = {}) {
      const own = queues.get(accountId);
      if (!isAdmitted) {
        const waiting = refusable(own).length;
        if (waiting >= limits.perAccount) return false;
        if (countRefusable() >= limits.total && (waiting > 0 || !displaceOne())) return false;
      }
      const queue = own ?? { entries: [], isBackground, turn: now };
      queue.entries.push({ waiter, weight, isAdmitted });
      queues.set(accountId, queue);
      return true;
    },
    shift(accountId) {
      const queue = queues.get(accountId);
      const entry = queue && take(accountId, queue, 0);
      if (!entry) return undefined;
      now = Math.max(now, queue.turn);
      queue.turn += entry.weight;
      return entry.waiter;
    },
    remove(accountId, waiter) {
      const queue = queues.get(accountId);
      const index = queue?.entries.findIndex(entry => entry.waiter === waiter) ?? -1;
      return queue !== undefined && index >= 0 && take(accountId, queue, index) !== undefined;
    },
    clear() {
      const waiters = [...queues.values()].flatMap(({ entries }) => entries.map(({ waiter }) => waiter));
      queues.clear();
      return waiters;
    },
    has: accountId => queues.has(accountId),
    turns: () =>
      [...queues]
        .toSorted(([, a], [, b]) => Number(a.isBackground) - Number(b.isBackground) || a.turn - b.turn)
        .map(([accountId]) => accountId),
    othersBeside(accountId, isBackground) {
      const others = [...queues].filter(([other]) => other !== accountId);
      return others.filter(([, queue]) => isBackground || !queue.isBackground).map(([other]) => other);
    },
    get length() {
      return [...queues.values()].reduce((sum, { entries }) => sum + entries.length, 0);
    },
  };
}
