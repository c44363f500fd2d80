/** The only name that differs by one or two typos, or null. Short names resemble too many others. */
export function nearestName(given: string, names: readonly string[]): string | null {
  const close = names.filter(
    name => name.length >= 8 && Math.abs(name.length - given.length) <= 2 && editDistance(given, name) <= 2,
  );
  return close.length === 1 ? close[0]! : null;
}

/** Letters to add, drop, replace or swap with a neighbour (Damerau-Levenshtein). */
export function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? rows[i - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, replaced, swapped));
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
