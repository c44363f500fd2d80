import { setTimeout as sleep } from 'node:timers/promises';
import { asWorker } from './worker-thread.ts';

/** What goes wrong in a job, and how long it takes. */
export type FaultyJob = {
  readonly fault: 'none' | 'throw' | 'uncaught' | 'after' | 'exit' | 'memory' | 'hang';
  readonly ms: number;
};

export default asWorker(async ({ fault, ms }: FaultyJob): Promise<number> => {
  if (fault === 'throw') throw new RangeError('thrown');
  if (fault === 'uncaught') setImmediate(throwIt);
  if (fault === 'after') setTimeout(throwIt, 100);
  if (fault === 'exit') process.exit(3);
  if (fault === 'memory') eatMemory();
  if (fault === 'hang') for (;;);
  await sleep(fault === 'uncaught' ? 10_000 : ms);
  return ms;
});

function throwIt(): never {
  throw new Error('thrown by nobody');
}

function eatMemory(): void {
  const kept: object[] = [];
  for (;;) kept.push(Array.from({ length: 1000 }, (_, at) => ({ at })));
}
