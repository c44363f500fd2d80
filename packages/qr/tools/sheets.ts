/**
 * Draws the pictures of the documentation: contact sheets of every shape and of colours with their grades, and the
 * strip of styles at the top of the README. Run it with `npm run sheets`, then look at what it has drawn.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { Resvg } from '@resvg/resvg-js';
import { gradeStyle } from '../src/grade.ts';
import { cornersDotTypes, cornersSquareTypes, dotsTypes, type Style } from '../src/style.ts';
import { renderSvg } from '../src/svg.ts';

const folder = new URL('../../../docs/images/', import.meta.url);
const link = 'https://qr.example.org/k7m2q9xwz';

type Tile = { readonly style: Style; readonly lines: readonly string[] };

const shapes: readonly Tile[] = dotsTypes.flatMap(dotsType =>
  cornersSquareTypes.flatMap(cornersSquareType =>
    cornersDotTypes.map(cornersDotType => {
      const style = { dotsType, cornersSquareType, cornersDotType };
      return {
        style,
        lines: [dotsType, `${cornersSquareType} / ${cornersDotType}`, gradeStyle(style).level],
      };
    }),
  ),
);

/** Pairs from strong to hopeless, with some that look better to a person than to a camera. */
const colors: readonly Tile[] = (
  [
    ['#000000', '#FFFFFF'],
    ['#1A73E8', '#FFFFFF'],
    ['#E53935', '#FFFFFF'],
    ['#0B3D2E', '#F4E9CD'],
    ['#4A148C', '#E0F7FA'],
    ['#000000', '#FFEB3B'],
    ['#808080', '#FFFFFF'],
    ['#4CAF50', '#FFFFFF'],
    ['#FF9800', '#FFFFFF'],
    ['#FFEB3B', '#FFFFFF'],
    ['#BBBBBB', '#FFFFFF'],
    ['#000000', '#FF0000'],
    ['#480B75', '#23B537'],
    ['#FF0000', '#008000'],
    ['#FFFFFF', '#000000'],
    ['#FFEB3B', '#0D1B4C'],
    ['#999999', '#FFFFFF', '#222222'],
    ['#222222', '#FFFFFF', '#BBBBBB'],
  ] as const
).map(([dotsColor, backgroundColor, corners]) => {
  const style = {
    dotsType: 'rounded',
    dotsColor,
    backgroundColor,
    cornersSquareColor: corners ?? dotsColor,
  } as const;
  const words = corners ? `${dotsColor}, corners ${corners}` : dotsColor;
  return { style, lines: [words, `on ${backgroundColor}`, gradeStyle(style).level] };
});

/** What the README shows. All of them are graded good, which is checked before they are drawn. */
const strip: readonly Style[] = [
  { dotsType: 'square', dotsColor: '#111827' },
  { dotsType: 'rounded', cornersSquareType: 'extra-rounded', cornersDotType: 'dot', dotsColor: '#1D4ED8' },
  { dotsType: 'dots', cornersDotType: 'dot', dotsColor: '#7C3AED', cornersSquareColor: '#4C1D95' },
  {
    dotsType: 'extra-rounded',
    cornersSquareType: 'extra-rounded',
    dotsColor: '#B91C1C',
    cornersDotColor: '#111827',
    backgroundColor: '#FFF7ED',
  },
  { dotsType: 'classy', dotsColor: '#065F46', cornersSquareColor: '#064E3B', backgroundColor: '#ECFDF5' },
  {
    dotsType: 'classy-rounded',
    cornersSquareType: 'extra-rounded',
    cornersDotType: 'dot',
    dotsColor: '#0F172A',
    cornersSquareColor: '#C2410C',
    cornersDotColor: '#0F172A',
  },
];

await mkdir(folder, { recursive: true });
await writeFile(new URL('sheet-shapes.svg', folder), sheetOf(shapes, 6));
await writeFile(new URL('sheet-colors.svg', folder), sheetOf(colors, 6));
await writeFile(new URL('styles.png', folder), stripOf(strip));

/** A grid of codes with a few words under each. */
function sheetOf(tiles: readonly Tile[], columns: number): string {
  const codePx = 190;
  const [cellWidth, cellHeight] = [codePx + 20, codePx + 70];
  const width = columns * cellWidth + 20;
  const height = Math.ceil(tiles.length / columns) * cellHeight + 20;
  const body = tiles.map(({ style, lines }, at) => {
    const x = 20 + (at % columns) * cellWidth;
    const y = 20 + Math.floor(at / columns) * cellHeight;
    const words = lines.map((line, row) => `<text x="${x}" y="${y + codePx + 14 + row * 15}">${line}</text>`);
    return place(style, codePx, x, y) + words.join('');
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"` +
    ` font-family="sans-serif" font-size="12"><rect width="${width}" height="${height}" fill="#E5E7EB"/>` +
    `${body.join('\n')}</svg>\n`
  );
}

function stripOf(styles: readonly Style[]): Uint8Array {
  const [codePx, gap] = [222, 12];
  const width = styles.length * (codePx + gap) - gap;
  const codes = styles.map((style, at) => {
    const { level, reasons } = gradeStyle(style);
    if (level !== 'good')
      throw new Error(`The README must not show a style graded ${level}: ${reasons.join(' ')}`);
    return place(style, codePx, at * (codePx + gap), 0);
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${codePx}">${codes.join('')}</svg>`;
  return new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng();
}

function place(style: Style, sizePx: number, x: number, y: number): string {
  return renderSvg(link, style, sizePx).trim().replace('<svg ', `<svg x="${x}" y="${y}" `);
}
