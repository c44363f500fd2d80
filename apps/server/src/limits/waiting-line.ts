import type { Uuid } from '../kernel/ids.ts';

/** Who waits in this process, a line an account. The accounts take turns; within one, who came first goes first. */
export type WaitingLine<Waiter> = {
  /**
   * false: there is no room, in all or for this account. In a line that is full, the first of an account takes the room of
   * the last of the account with the most.
   */
  add(accountId: Uuid, waiter: Waiter): boolean;
  /** Takes out the first of an account. */
  shift(accountId: Uuid): Waiter | undefined;
  /** Takes out one that no longer waits; false where it had left before. */
  remove(accountId: Uuid, waiter: Waiter): boolean;
  has(accountId: Uuid): boolean;
  /** Accounts that wait, the next one first. */
  turns(): readonly Uuid[];
  /** The account has had its turn. */
  pass(accountId: Uuid): void;
  readonly length: number;
};

export type Room = { readonly inAll: number; readonly perAccount: number };

export function createWaitingLine<Waiter>(
  room: Room,
  onDisplaced: (waiter: Waiter) => void,
): WaitingLine<Waiter> {
  // A Map keeps its order of insertion: an account that had its turn is put in again at the end.
  const lines = new Map<Uuid, Waiter[]>();
  let length = 0;

  function left(accountId: Uuid, line: readonly Waiter[]): void {
    length--;
    if (line.length === 0) lines.delete(accountId);
  }

  /** Whether there was one to displace: each account keeps its first. */
  function displaceOne(): boolean {
    const longest = [...lines.values()].reduce((most, line) => (line.length > most.length ? line : most), []);
    if (longest.length < 2) return false;
    length--;
    onDisplaced(longest.pop()!);
    return true;
  }

  return {
    add(accountId, waiter) {
      const line = lines.get(accountId) ?? [];
      if (line.length >= room.perAccount) return false;
      if (length >= room.inAll && (line.length > 0 || !displaceOne())) return false;
      line.push(waiter);
      lines.set(accountId, line);
      length++;
      return true;
    },
    shift(accountId) {
      const line = lines.get(accountId);
      const waiter = line?.shift();
      if (line && waiter !== undefined) left(accountId, line);
      return waiter;
    },
    remove(accountId, waiter) {
      const line = lines.get(accountId);
      const index = line?.indexOf(waiter) ?? -1;
      if (!line || index < 0) return false;
      line.splice(index, 1);
      left(accountId, line);
      return true;
    },
    has: accountId => lines.has(accountId),
    turns: () => [...lines.keys()],
    pass(accountId) {
      const line = lines.get(accountId);
      if (!line) return;
      lines.delete(accountId);
      lines.set(accountId, line);
    },
    get length() {
      return length;
    },
  };
}
