import { type Answer, type Ask, ask } from '@signpost/testing/client.ts';

/** What the client has sent and received. */
export type LoadStats = {
  readonly requests: number;
  readonly errors: number;
  /** Scans that were answered with a redirect, by the id of their code. */
  readonly accepted: ReadonlyMap<string, number>;
  /** Sends a request. Any other status than this one is recorded as an error, and the result is null. */
  ask(what: Ask, status: number): Promise<Answer | null>;
  accept(codeId: string): void;
  fault(text: string): void;
};

/** How many faults are printed; the rest are only counted. */
const maxPrinted = 20;

export function createLoadStats(print: (line: string) => void): LoadStats {
  const accepted = new Map<string, number>();
  let [requests, errors] = [0, 0];
  function fault(text: string): void {
    if (errors++ < maxPrinted) print(`fault: ${text}`);
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
        fault(`${name} has no response: ${String(error)}`);
      }
      return null;
    },
    accept: codeId => void accepted.set(codeId, (accepted.get(codeId) ?? 0) + 1),
    fault,
  };
}
