import { fork } from 'node:child_process';
import { once } from 'node:events';

/** What somebody else meets meanwhile: asks addresses from a process of its own, so that the load of the test is not in its times. */
export type Prober = {
  /** What was measured so far is left out. */
  begin(): void;
  stop(): Promise<Probed>;
};
export type Probed = {
  /** Milliseconds of every answer, for each address. */
  readonly times: readonly (readonly number[])[];
  /** Statuses of 400 and more; 0 where there was no answer. */
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
