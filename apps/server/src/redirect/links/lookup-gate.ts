/** How likely it is that a code exists that is not in memory. */
export type Likelihood = 'likely' | 'unsure' | 'unlikely';

/** Limits the look-ups that wait for PostgreSQL, so that a flood of unknown codes does not keep out codes that exist. */
export type LookupGate = {
  /** Null where too many wait. Otherwise the caller calls the returned function when its wait is over. */
  enter(likelihood: Likelihood, block: string): (() => void) | null;
  readonly waiting: number;
};

/**
 * Look-ups that may wait at once, in total and for one block of addresses. Codes that exist have a high limit: right after a
 * start every scan is a look-up, and a whole country may be behind one proxy. Guesses have a low one, since they can wait.
 */
const limits: Readonly<Record<Likelihood, { readonly total: number; readonly perBlock: number }>> = {
  likely: { total: 1000, perBlock: 500 },
  unsure: { total: 200, perBlock: 50 },
  unlikely: { total: 10, perBlock: 5 },
};

export function createLookupGate(): LookupGate {
  const totals = { likely: 0, unsure: 0, unlikely: 0 };
  const perBlock = new Map<string, number>();
  return {
    enter(likelihood, block) {
      const name = `${likelihood} ${block}`;
      const waiting = perBlock.get(name) ?? 0;
      if (totals[likelihood] >= limits[likelihood].total || waiting >= limits[likelihood].perBlock)
        return null;
      totals[likelihood]++;
      perBlock.set(name, waiting + 1);
      return () => {
        totals[likelihood]--;
        const left = perBlock.get(name)! - 1;
        if (left === 0) perBlock.delete(name);
        else perBlock.set(name, left);
      };
    },
    get waiting() {
      return totals.likely + totals.unsure + totals.unlikely;
    },
  };
}
