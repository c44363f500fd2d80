import { paulmillr, zbar, zxing } from '@signpost/testing/decoders.ts';
import { type Raster, rasterOfPng, rasterOfSvg } from '@signpost/testing/raster.ts';
import { expect } from 'vitest';
import { renderPng } from '../../src/node.ts';
import type { Style } from '../../src/style.ts';
import { renderSvg } from '../../src/svg.ts';
import { links, shapes } from './styles.ts';

/** From the plainest to the weakest that are still graded good, some with corners of their own. */
export const goodColors: readonly Style[] = [
  {},
  { dotsColor: '#1A73E8' },
  { dotsColor: '#0B3D2E', backgroundColor: '#F4E9CD' },
  { dotsColor: '#999999', cornersSquareColor: '#222222' },
  {
    dotsColor: '#4A148C',
    cornersSquareColor: '#B71C1C',
    cornersDotColor: '#1B5E20',
    backgroundColor: '#E0F7FA',
  },
  { dotsColor: '#7A7A7A', backgroundColor: '#FFFFFF' },
];

/** How many of them each shape meets: all at a desk; in CI, which has to stay quick, they take turns over the shapes. */
const colorsEach = process.env.CI ? 1 : goodColors.length;

/** In CI the largest pictures, which take longest, are of every fifth shape: each kind of dot and of corner is among them. */
const shapesAt = (sizePx: number) =>
  shapes.filter((_, at) => !process.env.CI || sizePx < 2048 || at % 5 === 0);

/** Large pictures take long to read, so there the lengths of link take turns. */
export const linksAt = (sizePx: number, turn: number) =>
  sizePx > 256 ? [links[turn % links.length]!] : links;

export const sizes = [128, 256, 512, 1024, 2048];

/** Reads every style at a size with every decoder: each gives the exact link. */
export async function everyStyleScans(format: 'PNG' | 'SVG', sizePx: number): Promise<void> {
  const missed: string[] = [];
  let pictures = 0;
  const taken = shapesAt(sizePx);
  for (const [at, shape] of taken.entries()) {
    // zbar is known to lose round rings in large pictures, which is why they are graded fair and no better.
    const decoders = shape.cornersSquareType === 'dot' ? [zxing, paulmillr] : [zxing, paulmillr, zbar];
    for (let turn = at * colorsEach; turn < (at + 1) * colorsEach; turn++) {
      for (const link of linksAt(sizePx, turn)) {
        const style = { ...shape, ...goodColors[turn % goodColors.length]! };
        const image = await rasterOf(format, link, style, sizePx);
        pictures++;
        for (const decode of decoders) {
          if ((await decode(image)) !== link) missed.push(`${decode.name} ${JSON.stringify(style)} ${link}`);
        }
      }
    }
  }
  expect(missed).toEqual([]);
  expect(pictures).toBe(taken.length * colorsEach * linksAt(sizePx, 0).length);
}

async function rasterOf(format: 'PNG' | 'SVG', link: string, style: Style, sizePx: number): Promise<Raster> {
  return format === 'PNG'
    ? rasterOfPng(await renderPng(link, style, sizePx))
    : rasterOfSvg(renderSvg(link, style, sizePx));
}
