/**
 * Draws the pictures of the documentation: contact sheets of every shape and of colours with their grades, and the
 * strip of styles at the top of the README. Run it with `npm run sheets`, then look at what it has drawn.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { Resvg } from '@resvg/resvg-js';
import { paulmillr, zbar, zxing } from '@signpost/testing/decoders.ts';
import { rasterOfSvg } from '@signpost/testing/raster.ts';
import { frameOf, frameTypes } from '../src/frames.ts';
import { gradeStyle } from '../src/grade.ts';
import { logoShapes, logoSizes } from '../src/logo.ts';
import type { LogoPicture, SceneOptions } from '../src/scene.ts';
import { cornersDotTypes, cornersSquareTypes, dotsTypes, type Style } from '../src/style.ts';
import { renderSvg } from '../src/svg.ts';
import { compactSheet } from './compact-sheet.ts';

const folder = new URL('../../../docs/images/', import.meta.url);
const link = 'https://qr.example.org/k7m2q9xwz';

type Tile = { readonly style: Style; readonly lines: readonly string[]; readonly options?: SceneOptions };

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

/** The mark of the examples: a ring on a rounded square. */
async function exampleLogo(): Promise<LogoPicture> {
  const content =
    '<rect width="64" height="64" rx="14" fill="#0B3D2E"/><circle cx="32" cy="32" r="15" fill="none" stroke="#FFFFFF" stroke-width="7"/>';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="256" height="256">${content}</svg>`;
  const { width, height, pixels } = new Resvg(svg).render();
  return {
    pixels: { width, height, data: new Uint8Array(pixels) },
    png: '',
    svg: { viewBox: '0 0 64 64', content },
  };
}

const sea = {
  dotsType: 'rounded',
  cornersSquareType: 'extra-rounded',
  cornersSquareColor: '#0B3D2E',
} as const;
const stops = [
  { offset: 0, color: '#0B3D2E' },
  { offset: 1, color: '#1F4E9E' },
];

/** Logos in every size and shape, gradients, and frames. */
async function designTiles(): Promise<Tile[]> {
  const logo = await exampleLogo();
  const logos = logoSizes.flatMap(size =>
    logoShapes.map(shape => ({
      style: { ...sea, dotsColor: '#0B3D2E', logo: { asset_id: 'a', size, shape } },
      options: { logo },
      lines: ['logo', size, shape],
    })),
  );
  const gradients = [
    ...[0, 45, 90].map(rotation => ({ type: 'linear', rotation, stops }) as const),
    { type: 'radial', stops } as const,
    {
      type: 'linear',
      rotation: 135,
      stops: [
        { offset: 0, color: '#B91C1C' },
        { offset: 0.5, color: '#6D28D9' },
        { offset: 1, color: '#1D4ED8' },
      ],
    } as const,
    {
      type: 'radial',
      stops: [
        { offset: 0, color: '#9D174D' },
        { offset: 1, color: '#1E1B4B' },
      ],
    } as const,
  ].map(dotsGradient => ({
    style: { ...sea, cornersSquareColor: dotsGradient.stops[0]!.color, dotsGradient },
    lines: ['gradient', dotsGradient.type, 'rotation' in dotsGradient ? `${dotsGradient.rotation}°` : ''],
  }));
  const texts = ['Scan me', 'Σκανάρετε με', 'Меню дня', 'Öffnungszeiten'];
  const frames = frameTypes.map((type, at) => {
    const style = { ...sea, dotsColor: '#111827' };
    return { style, options: { frame: frameOf({ type, text: texts[at]! }, style) }, lines: ['frame', type] };
  });
  const all = {
    ...sea,
    dotsGradient: gradients[1]!.style.dotsGradient,
    logo: { asset_id: 'a', size: 'large', shape: 'circle' },
  } as const;
  const together = (['card', 'bubble'] as const).map(type => ({
    style: all,
    options: { logo, frame: frameOf({ type, text: 'Scan for the menu' }, all) },
    lines: ['all together', type],
  }));
  const dots = {
    style: {
      ...sea,
      dotsType: 'dots',
      cornersSquareType: 'square',
      dotsColor: '#0B3D2E',
      logo: { asset_id: 'a' },
    },
    options: { logo },
    lines: ['logo', 'among dots'],
  } as const;
  const wide = { ...exampleFrame('label-below'), lines: ['frame', 'in another colour'] };
  return [...logos, ...gradients, ...frames, ...together, dots, wide];
}

const exampleFrame = (type: (typeof frameTypes)[number]) => {
  const style = { ...sea, dotsColor: '#0B3D2E' };
  return {
    style,
    options: { frame: frameOf({ type, text: 'Opening hours and more', color: '#C2410C' }, style) },
  };
};

await mkdir(folder, { recursive: true });
const designs = await designTiles();
for (const tile of designs) await checkRead(tile);
await writeFile(new URL('sheet-design.svg', folder), sheetOf(designs, 5));
await writeFile(new URL('sheet-shapes.svg', folder), sheetOf(shapes, 6));
await writeFile(new URL('sheet-colors.svg', folder), sheetOf(colors, 6));
await writeFile(new URL('styles.png', folder), stripOf(strip));
await writeFile(new URL('sheet-compact.svg', folder), await compactSheet());

/** What is shown as an example is read by all three decoders. */
async function checkRead({ style, options, lines }: Tile): Promise<void> {
  const picture = rasterOfSvg(renderSvg(link, style, 640, options));
  for (const decode of [zxing, zbar, paulmillr]) {
    if ((await decode(picture)) !== link) throw new Error(`${decode.name} does not read ${lines.join(' ')}`);
  }
}

/** A grid of codes with a few words under each. */
function sheetOf(tiles: readonly Tile[], columns: number): string {
  const codePx = 190;
  const [cellWidth, cellHeight] = [codePx + 20, codePx + 70];
  const width = columns * cellWidth + 20;
  const height = Math.ceil(tiles.length / columns) * cellHeight + 20;
  const body = tiles.map(({ style, lines, options }, at) => {
    const x = 20 + (at % columns) * cellWidth;
    const y = 20 + Math.floor(at / columns) * cellHeight;
    const words = lines.map((line, row) => `<text x="${x}" y="${y + codePx + 14 + row * 15}">${line}</text>`);
    return place(style, codePx, x, y, options) + words.join('');
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

function place(style: Style, sizePx: number, x: number, y: number, options: SceneOptions = {}): string {
  if (options.frame || options.logo) return framed(style, sizePx, x, y, options);
  return renderSvg(link, style, sizePx, options).trim().replace('<svg ', `<svg x="${x}" y="${y}" `);
}

/** A picture that is higher than wide is drawn so large that it fits into the place. */
function framed(style: Style, sizePx: number, x: number, y: number, options: SceneOptions): string {
  const svg = renderSvg(link, style, 4 * sizePx, options).trim();
  return svg.replace(
    /<svg xmlns="[^"]*" width="\d+" height="\d+"/,
    `<svg x="${x}" y="${y}" width="${sizePx}" height="${sizePx}"`,
  );
}
