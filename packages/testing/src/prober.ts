import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Measures what other clients see: requests URLs from its own process, so that the test's load does not distort the times. */
export type Prober = {
  /** Discards what was measured so far. */
  begin(): void;
  stop(): Promise<Probed>;
};
export type Probed = {
  /** Milliseconds of every response, for each URL. */
  readonly times: readonly (readonly number[])[];
  /** Statuses of 400 and more; 0 for no response. */
  readonly refused: readonly number[];
};

export function startProber(everyMs: number, ...urls: readonly string[]): Prober {
  const child = fork(new URL('prober-process.ts', import.meta.url), [String(everyMs), ...urls]);
  return {
    begin: () => void child.send('begin'),
    async stop() {
      const answer = once(child, 'message') as Promise<[Probed]>;
      child.send('stop');
      return (await answer)[0];
    },
  };
}
