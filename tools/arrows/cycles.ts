/** An edge of the import graph that leads back to a file on the way to it. */
export type Cycle = {
  readonly from: string;
  readonly to: string;
  /** From `to` round to `to` again. */
  readonly path: readonly string[];
};

/** The cycles of a graph, each told once, by the edge that closes it. */
export function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): readonly Cycle[] {
  const cycles: Cycle[] = [];
  const finished = new Set<string>();
  const way: string[] = [];

  function visit(file: string): void {
    way.push(file);
    for (const next of new Set(graph.get(file))) {
      const start = way.indexOf(next);
      if (start >= 0) cycles.push({ from: file, to: next, path: [...way.slice(start), next] });
      else if (!finished.has(next)) visit(next);
    }
    way.pop();
    finished.add(file);
  }

  for (const file of graph.keys()) if (!finished.has(file)) visit(file);
  return cycles;
}
