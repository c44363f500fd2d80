/** The part of opentype.js that we use; the package has no types of its own. */
declare module 'opentype.js' {
  export type Command = { readonly type: 'M' | 'L' | 'Q' | 'C' | 'Z' } & {
    readonly [Place in 'x' | 'y' | 'x1' | 'y1' | 'x2' | 'y2']?: number;
  };
  type Glyph = {
    readonly advanceWidth?: number;
    getPath(x: number, y: number, fontSize: number): { readonly commands: readonly Command[] };
  };
  type Font = {
    readonly unitsPerEm: number;
    readonly ascender: number;
    readonly descender: number;
    charToGlyphIndex(letter: string): number;
    charToGlyph(letter: string): Glyph;
  };
  const opentype: { parse(bytes: ArrayBuffer): Font };
  export default opentype;
}
