import { readdirSync, readFileSync } from 'node:fs';

/** Stops a process and all its descendants; the parent first, so that it starts no new ones. */
export function stopTree(pid: number): void {
  process.kill(pid, 'SIGSTOP');
  for (const child of childrenOf(pid)) ifItRuns(() => stopTree(child));
}

/**
 * Resumes a process and all its descendants. The list of children is reliable only while they are stopped: a process that
 * ends while it is read may hide another one. So all are listed before the first one goes on.
 */
export function resumeTree(pid: number): void {
  for (const one of [...descendantsOf(pid), pid]) ifItRuns(() => process.kill(one, 'SIGCONT'));
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
