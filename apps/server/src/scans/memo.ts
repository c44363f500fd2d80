/**
 * Memoizes a function of a text, for at most `maxEntries` texts of at most `maxLength` characters. It has two generations:
 * when the younger is full, the older is dropped, and entries that were used in the meantime have moved to the younger.
 * That is nearly as good as LRU and costs nothing on a hit.
 *
 * It is hand-written because it runs twice per scan: with `lru-cache` 11 a lookup took 102 ns instead of 80 ns for user
 * agents that all fit, and 1117 ns instead of 702 ns for three times as many addresses as fit.
 */
export function createMemo<Value extends object>(
  { maxEntries, maxLength }: { readonly maxEntries: number; readonly maxLength: number },
  compute: (text: string) => Value,
): (text: string) => Value {
  const half = Math.ceil(maxEntries / 2);
  let younger = new Map<string, Value>();
  let older = new Map<string, Value>();
  return text => {
    const cached = younger.get(text);
    if (cached !== undefined) return cached;
    if (text.length > maxLength) return compute(text);
    const value = older.get(text) ?? compute(text);
    if (younger.size >= half) {
      older = younger;
      younger = new Map();
    }
    younger.set(text, value);
    return value;
  };
}
