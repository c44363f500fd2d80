/** How deep a body may be, and how many values it may have. */
export type Shape = { readonly maxDepth: number; readonly maxValues: number };

/** What bytes mean outside of strings. All other bytes do not matter for the shape. */
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

export type Excess = 'depth' | 'values';

/**
 * Finds JSON that is too deep or has too many values without parsing it: `JSON.parse` takes a second for five megabytes
 * of brackets, and nothing else runs meanwhile. It is called with one chunk after another, looks at each byte once, and
 * stops at the first that is too much. Whether the text is JSON at all is left to the parser.
 */
export function createShapeCheck({ maxDepth, maxValues }: Shape): (piece: Uint8Array) => Excess | null {
  let [depth, values] = [0, 1];
  let [inString, escaped] = [false, false];

  /** Where the closing quote is, or the end of the piece. */
  function endOfString(piece: Uint8Array, from: number): number {
    for (let at = from; at < piece.length; at++) {
      if (escaped) escaped = false;
      else if (piece[at] === quote) return at;
      else escaped = piece[at] === backslash;
    }
    return piece.length;
  }

  return piece => {
    for (let at = 0; at < piece.length; at++) {
      const meaning = inString ? quotes : meanings[piece[at]!]!;
      if (meaning === 0) continue;
      if (meaning === quotes) {
        at = endOfString(piece, inString ? at : at + 1);
        inString = at === piece.length;
      } else if (meaning === closes) depth--;
      else if (++values > maxValues) return 'values';
      else if (meaning === opens && ++depth > maxDepth) return 'depth';
    }
    return null;
  };
}

/** The same for a whole text. */
export const findExcess = (text: Uint8Array, shape: Shape): Excess | null => createShapeCheck(shape)(text);
