import { readdirSync, readFileSync } from 'node:fs';

/** Signals a process, then all its descendants; the parent first, so that it starts no new ones. */
export function signalTree(pid: number, signal: NodeJS.Signals): void {
  process.kill(pid, signal);
  for (const child of childrenOf(pid)) ifItRuns(() => signalTree(child, signal));
}

/** All descendants of a process, parents before their children. */
export function descendantsOf(pid: number): number[] {
  return childrenOf(pid).flatMap(child => [child, ...descendantsOf(child)]);
}

/** Does something with a process; undefined if it has ended meanwhile. */
export function ifItRuns<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch (error) {
    if (!['ESRCH', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return undefined;
  }
}

function childrenOf(pid: number): number[] {
  const threads = ifItRuns(() => readdirSync(`/proc/${pid}/task`)) ?? [];
  const read = (thread: string) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8');
  return threads.flatMap(thread =>
    (ifItRuns(() => read(thread)) ?? '').split(' ').filter(Boolean).map(Number),
  );
}
