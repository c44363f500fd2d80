import { readdirSync, readFileSync } from 'node:fs';

/** CPU time of a process and its children so far, in microseconds. Linux only. */
export function cpuMicrosOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const own = threads.map(thread => nanos(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')));
  const children = threads.flatMap(thread =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return (
    own.reduce((sum, value) => sum + value, 0) / 1_000 + children.map(cpuMicrosOf).reduce((a, b) => a + b, 0)
  );
}

/** The first number of schedstat is the time on a core. */
const nanos = (schedstat: string) => Number(schedstat.split(' ')[0]);
