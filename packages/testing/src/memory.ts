import { readdirSync, readFileSync } from 'node:fs';

/**
 * The memory of a process by the kernel. Shared memory counts in proportion. A page of a program or library counts once,
 * whatever else on the machine has loaded it too: the figure is that of a machine on which nothing else runs.
 */
export type Memory = {
  readonly mb: number;
  /** Its largest parts, by what is mapped. */
  readonly parts: readonly { readonly name: string; readonly mb: number }[];
};

/** Of a process and all that it started. */
export function memoryOf(pid: number): Memory {
  const parts = new Map<string, number>();
  for (const each of [pid, ...descendantsOf(pid)]) {
    const files = new Map<string, number>();
    for (const { name, isFile, pssKb, rssKb } of mappingsOf(each)) {
      if (isFile) files.set(name, (files.get(name) ?? 0) + rssKb);
      else parts.set(name, (parts.get(name) ?? 0) + pssKb);
    }
    // The processes of one program have mostly the same pages of it: those of the one that has the most are counted.
    for (const [name, kb] of files) parts.set(name, Math.max(parts.get(name) ?? 0, kb));
  }
  const sorted = [...parts].map(([name, kb]) => ({ name, mb: kb / 1024 })).sort((a, b) => b.mb - a.mb);
  return { mb: sorted.reduce((sum, { mb }) => sum + mb, 0), parts: sorted.slice(0, 4) };
}

export const describeMemory = ({ mb, parts }: Memory): string =>
  `${mb.toFixed(0)} MB (${parts.map(part => `${part.name} ${part.mb.toFixed(0)}`).join(', ')})`;

type Mapping = { readonly name: string; readonly isFile: boolean; pssKb: number; rssKb: number };

/** A process may end while it is read. */
function mappingsOf(pid: number): Mapping[] {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/smaps`, 'utf8');
  } catch {
    return [];
  }
  const mappings: Mapping[] = [];
  for (const line of text.split('\n')) {
    const mapping = /^[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ \S+ *(.*)$/.exec(line);
    if (mapping) mappings.push({ ...kindOf(mapping[1]!), pssKb: 0, rssKb: 0 });
    const [, field, kb] = /^(Pss|Rss): +(\d+) kB$/.exec(line) ?? [];
    if (field === 'Pss') mappings.at(-1)!.pssKb = Number(kb);
    if (field === 'Rss') mappings.at(-1)!.rssKb = Number(kb);
  }
  return mappings;
}

function kindOf(path: string): { readonly name: string; readonly isFile: boolean } {
  if (path === '' || path.startsWith('[')) return { name: 'private', isFile: false };
  if (path.startsWith('/dev/') || path.includes('(deleted)')) return { name: 'shared', isFile: false };
  return { name: path.split('/').at(-1)!.split(' ')[0]!, isFile: true };
}

function descendantsOf(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const entry of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      parents.set(Number(entry), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // It has ended.
    }
  }
  const isBelow = (each: number): boolean => {
    const parent = parents.get(each);
    return parent !== undefined && parent > 0 && (parent === pid || isBelow(parent));
  };
  return [...parents.keys()].filter(isBelow);
}
