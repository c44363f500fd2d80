import { readdirSync, readFileSync } from 'node:fs';

/** The memory of processes and everything they have started, in MB. A page that several share counts once (PSS). */
export function treeMemoryMb(roots: readonly number[]): number {
  const children = childrenByParent();
  const waiting = [...roots];
  let kilobytes = 0;
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    kilobytes += pssKilobytes(pid);
    waiting.push(...(children.get(pid) ?? []));
  }
  return kilobytes / 1024;
}

function childrenByParent(): ReadonlyMap<number, readonly number[]> {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+$/.test(name)
      ? /\nPPid:\t(\d+)/.exec(readOrEmpty(`/proc/${name}/status`))?.[1]
      : undefined;
    if (parent !== undefined)
      children.set(Number(parent), [...(children.get(Number(parent)) ?? []), Number(name)]);
  }
  return children;
}

const pssKilobytes = (pid: number): number =>
  Number(/^Pss:\s+(\d+)/m.exec(readOrEmpty(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0);

/** A process may end while it is looked at. */
function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
