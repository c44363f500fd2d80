/**
 * Remembers what was worked out of a text, for at most `maxEntries` texts of at most `maxLength` characters. Two halves
 * take turns: when the younger is full, the older is let go, and what was used meanwhile has moved over. That is nearly
 * as good as forgetting what was used longest ago, and costs nothing on a hit.
 */
export function createMemo<Value extends object>(
  { maxEntries, maxLength }: { readonly maxEntries: number; readonly maxLength: number },
  make: (text: string) => Value,
): (text: string) => Value {
  const half = Math.ceil(maxEntries / 2);
  let younger = new Map<string, Value>();
  let older = new Map<string, Value>();
  return text => {
    const known = younger.get(text);
    if (known !== undefined) return known;
    if (text.length > maxLength) return make(text);
    const value = older.get(text) ?? make(text);
    if (younger.size >= half) {
      older = younger;
      younger = new Map();
    }
    younger.set(text, value);
    return value;
  };
}
