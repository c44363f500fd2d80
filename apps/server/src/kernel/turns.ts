/** Heavy work on the event loop, one piece a turn of it, so that whatever else waits is served in between. */
export type Turns = {
  /** Runs when all pieces before it have run, and in a turn of its own. */
  run<Value>(work: () => Value): Promise<Value>;
};

/** The one line of a process: two lines would mean two pieces a turn. */
export const heavyWork: Turns = createTurns();

/** Pieces share one line: many at once would else all run in one turn, and be one long piece. */
export function createTurns(nextTurn: () => Promise<unknown> = turnOfTheLoop): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(work) {
      const mine = last.then(nextTurn).then(work);
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}

function turnOfTheLoop(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
