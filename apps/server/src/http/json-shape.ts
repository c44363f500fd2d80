/** What a body may be made of, whatever it says. */
export type Shape = { readonly maxDepth: number; readonly maxValues: number };

/** What bytes mean outside of strings. All other bytes mean nothing for the shape. */
const [opens, closes, separates, quotes] = [1, 2, 3, 4];
const meanings = new Uint8Array(256);
for (const [bytes, meaning] of [
  ['[{', opens],
  [']}', closes],
  [',', separates],
  ['"', quotes],
] as const) {
  for (const byte of Buffer.from(bytes)) meanings[byte] = meaning;
}
const [quote, backslash] = [0x22, 0x5c];

/**
 * What is too much about JSON, found without parsing it: `JSON.parse` takes a second for five megabytes of brackets, and
 * nothing else runs meanwhile. One look at each byte, and an end at the first that is too much. Text that is no JSON has
 * a shape too; that it is none is for the parser to say.
 */
export function excessOf(text: Uint8Array, { maxDepth, maxValues }: Shape): 'depth' | 'values' | null {
  let [depth, values] = [0, 1];
  for (let at = 0; at < text.length; at++) {
    const meaning = meanings[text[at]!]!;
    if (meaning === 0) continue;
    if (meaning === quotes) at = endOfString(text, at + 1);
    else if (meaning === closes) depth--;
    else if (++values > maxValues) return 'values';
    else if (meaning === opens && ++depth > maxDepth) return 'depth';
  }
  return null;
}

/** Where the closing quote is, or the end of the text. */
function endOfString(text: Uint8Array, from: number): number {
  for (let at = from; at < text.length; at++) {
    const byte = text[at];
    if (byte === quote) return at;
    if (byte === backslash) at++;
  }
  return text.length;
}
