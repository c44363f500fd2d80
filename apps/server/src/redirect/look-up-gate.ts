/** How sure it is that a code exists that is not in memory. */
export type Chance = 'likely' | 'unsure' | 'unlikely';

/** Bounds the look-ups that wait for PostgreSQL, so that a flood of unknown codes takes no place of anybody's good one. */
export type LookUpGate = {
  /** Null where too many wait; otherwise call what it returns when the wait is over. */
  enter(chance: Chance, block: string): (() => void) | null;
  readonly waiting: number;
};

/**
 * Places in all, and for one block of addresses. Codes that exist have many: right after a start every scan is a look-up, and
 * a whole country may stand behind one proxy. Guesses have few, since answering them can wait.
 */
const places: Readonly<Record<Chance, { readonly all: number; readonly block: number }>> = {
  likely: { all: 1000, block: 500 },
  unsure: { all: 200, block: 50 },
  unlikely: { all: 10, block: 5 },
};

export function createLookUpGate(): LookUpGate {
  const inAll = { likely: 0, unsure: 0, unlikely: 0 };
  const ofBlocks = new Map<string, number>();
  return {
    enter(chance, block) {
      const name = `${chance} ${block}`;
      const ofBlock = ofBlocks.get(name) ?? 0;
      if (inAll[chance] >= places[chance].all || ofBlock >= places[chance].block) return null;
      inAll[chance]++;
      ofBlocks.set(name, ofBlock + 1);
      return () => {
        inAll[chance]--;
        const left = ofBlocks.get(name)! - 1;
        if (left === 0) ofBlocks.delete(name);
        else ofBlocks.set(name, left);
      };
    },
    get waiting() {
      return inAll.likely + inAll.unsure + inAll.unlikely;
    },
  };
}
