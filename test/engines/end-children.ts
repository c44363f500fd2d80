import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { descendantsOf, ifItRuns } from '@signpost/testing/engines/process-tree.ts';

const pollMs = 50;

/**
 * Ends all descendants of this process: asks them, and kills those that still run after `patienceMs`. Those whose parent ends
 * first are no longer descendants, so each is remembered once it was seen.
 */
export async function endChildren(patienceMs = 10_000): Promise<void> {
  const seen = new Map<number, string>();
  const deadline = performance.now() + patienceMs;
  for (;;) {
    for (const pid of descendantsOf(process.pid)) {
      const since = startOf(pid);
      if (since === undefined || seen.get(pid) === since) continue;
      seen.set(pid, since);
      signal(pid, 'SIGTERM');
      // One that a test has frozen could not end.
      signal(pid, 'SIGCONT');
    }
    const running = [...seen].filter(([pid, since]) => startOf(pid) === since);
    if (running.length === 0) return;
    if (performance.now() > deadline) for (const [pid] of running) signal(pid, 'SIGKILL');
    await pause(pollMs);
  }
}

const signal = (pid: number, name: NodeJS.Signals) => ifItRuns(() => process.kill(pid, name));

/** When a process started, in ticks since the start of the machine: another one may get its id. Undefined once it has ended. */
function startOf(pid: number): string | undefined {
  const fields = ifItRuns(() => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' '));
  return fields === undefined || fields[0] === 'Z' ? undefined : fields[19];
}
