import { type Answer, type Ask, ask } from '../support/client.ts';

/** What the client side has asked for and been answered. */
export type Tally = {
  readonly requests: number;
  readonly errors: number;
  /** Scans that were answered with a redirect, by the id of their code. */
  readonly accepted: ReadonlyMap<string, number>;
  /** Asks, and notes whatever is not answered with this status; null where there was no such answer. */
  ask(what: Ask, status: number): Promise<Answer | null>;
  accept(codeId: string): void;
  fault(text: string): void;
};

/** So many faults are told in words; beyond, they are only counted. */
const mostTold = 20;

export function createTally(say: (line: string) => void): Tally {
  const accepted = new Map<string, number>();
  let [requests, errors] = [0, 0];
  function fault(text: string): void {
    if (errors++ < mostTold) say(`fault: ${text}`);
  }
  return {
    get requests() {
      return requests;
    },
    get errors() {
      return errors;
    },
    accepted,
    async ask(what, status) {
      requests++;
      const name = `${what.method ?? 'GET'} ${new URL(what.url).pathname}`;
      try {
        const answer = await ask(what);
        if (answer.status === status) return answer;
        fault(`${name} answers ${answer.status}: ${JSON.stringify(answer.body).slice(0, 200)}`);
      } catch (error) {
        fault(`${name} has no answer: ${String(error)}`);
      }
      return null;
    },
    accept: codeId => void accepted.set(codeId, (accepted.get(codeId) ?? 0) + 1),
    fault,
  };
}
