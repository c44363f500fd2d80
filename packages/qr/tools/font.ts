/**
 * Writes the letters of frames and captions as outlines, from the files of Inter in `@fontsource/inter`. The outlines are
 * kept with the sources, so that neither the server nor a browser reads font files. Run it as `node packages/qr/tools/font.ts`.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import opentype, { type Command } from 'opentype.js';

const subsets = ['latin', 'latin-ext', 'greek', 'cyrillic'];
/** Latin with its accents, Greek, Cyrillic, and the punctuation and signs that labels use. */
const ranges: readonly (readonly [number, number])[] = [
  [0x20, 0x7e],
  [0xa0, 0x17f],
  [0x218, 0x21b],
  [0x1e9e, 0x1e9e],
  [0x386, 0x3ce],
  [0x400, 0x45f],
  [0x490, 0x491],
  [0x2010, 0x2015],
  [0x2018, 0x201e],
  [0x2022, 0x2022],
  [0x2026, 0x2026],
  [0x20ac, 0x20ac],
  [0x20b4, 0x20b4],
  [0x20bd, 0x20bd],
  [0x2116, 0x2116],
  [0x2122, 0x2122],
  [0x2190, 0x2193],
  [0x2212, 0x2212],
];

const fonts = await Promise.all(
  subsets.map(async subset => {
    const file = fileURLToPath(
      import.meta.resolve(`@fontsource/inter/files/inter-${subset}-600-normal.woff`),
    );
    const bytes = await readFile(file);
    return opentype.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  }),
);

const unitsPerEm = fonts[0]!.unitsPerEm;
const glyphs: Record<string, readonly [advance: number, path: string]> = {};
for (const [first, last] of ranges) {
  for (let code = first; code <= last; code++) {
    const letter = String.fromCodePoint(code);
    const font = fonts.find(one => one.charToGlyphIndex(letter) > 0);
    if (!font) continue;
    const glyph = font.charToGlyph(letter);
    // A thousandth of the height of the font is finer than any printer.
    const scale = 1000 / unitsPerEm;
    const path = glyph.getPath(0, 0, 1000).commands.map(dataOf).join('');
    glyphs[letter] = [Math.round((glyph.advanceWidth ?? 0) * scale), path];
  }
}
/** One command of a path in whole numbers. The package's own writer runs numbers together at a negative zero. */
function dataOf({ type, x1, y1, x2, y2, x, y }: Command): string {
  const numbers = [x1, y1, x2, y2, x, y].flatMap(value =>
    value === undefined ? [] : [Math.round(value) + 0],
  );
  return type + numbers.join(' ').replaceAll(' -', '-');
}

const { ascender, descender } = fonts[0]!;
const font = {
  name: 'Inter SemiBold',
  ascent: Math.round((ascender * 1000) / unitsPerEm),
  descent: Math.round((descender * 1000) / unitsPerEm),
  glyphs,
};
const target = new URL('../src/font/inter.json', import.meta.url);
const lines = Object.entries(glyphs).map(
  ([letter, glyph]) => `    ${JSON.stringify(letter)}: ${JSON.stringify(glyph)}`,
);
const { glyphs: _, ...head } = font;
await writeFile(
  target,
  `${JSON.stringify(head, null, 2).replace(/\n}$/, '')},\n  "glyphs": {\n${lines.join(',\n')}\n  }\n}\n`,
);
console.log(`${Object.keys(glyphs).length} letters`);
