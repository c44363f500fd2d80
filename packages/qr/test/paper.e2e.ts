import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import { paulmillr, zxing } from '@signpost/testing/decoders.ts';
import { difference, type Raster, rasterOfPpm } from '@signpost/testing/raster.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { frameOf, frameTypes } from '../src/frames.ts';
import { nodeDeflate } from '../src/node.ts';
import type { SceneOptions } from '../src/scene.ts';
import type { Style } from '../src/style.ts';
import { renderEps, renderPdf } from '../src/vector.ts';
import { logoKinds, randomLogo } from './support/logos.ts';
import { createRandom } from './support/random.ts';
import { link, shapes, threeColors } from './support/styles.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-paper-'));
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

type Sample = { readonly style: Style; readonly options: SceneOptions };

const gradient = {
  stops: [
    { offset: 0, color: '#B91C1C' },
    { offset: 0.4, color: '#4A148C' },
    { offset: 1, color: '#0D47A1' },
  ],
} as const;

/** Every shape, plain, with a gradient, a logo and a frame in turn. */
async function samples(): Promise<Sample[]> {
  const random = createRandom(7);
  const all: Sample[] = [];
  for (const [at, shape] of shapes.entries()) {
    if (shape.cornersSquareType === 'dot') continue;
    const colors = [threeColors, {}][at % 2]!;
    const style: Style = {
      ...shape,
      ...colors,
      ...(at % 3 === 1
        ? { dotsGradient: { type: 'linear', rotation: (at * 37) % 360, ...gradient } as const }
        : {}),
      ...(at % 3 === 2 ? { dotsGradient: { type: 'radial', ...gradient } as const } : {}),
      ...(at % 4 === 0
        ? {
            logo: {
              asset_id: 'a',
              size: random.pick(['small', 'medium', 'large'] as const),
              shape: random.pick(['square', 'circle'] as const),
            },
          }
        : {}),
    };
    const logo = await randomLogo(random.pick(logoKinds), random, 120, 90);
    const frame =
      at % 5 === 3 ? frameOf({ type: random.pick(frameTypes), text: 'Scan me' }, style) : undefined;
    all.push({ style, options: { logo, frame } });
  }
  return all.slice(0, ciScale(all.length, 8));
}

const widthMm = 40;
const dpi = 300;

describe('a code on paper', () => {
  test('is read from PDF and from EPS, which show the same, in the size that was asked for', async () => {
    for (const { style, options } of await samples()) {
      const name = JSON.stringify(style);
      const pdf = await save('code.pdf', await renderPdf(link, style, { widthMm, ...options }, nodeDeflate));
      const eps = await save('code.eps', renderEps(link, style, { widthMm, ...options }));
      const [fromPdf, fromEps] = [shownPdf(pdf), shownEps(eps)];
      for (const raster of [fromPdf, fromEps]) {
        expect(Math.abs(raster.width - (widthMm / 25.4) * dpi), name).toBeLessThanOrEqual(
          (0.1 / 25.4) * dpi + 1,
        );
        expect([await zxing(raster), await paulmillr(raster)], name).toEqual([link, link]);
      }
      const box = boxesOf(pdf).MediaBox!;
      expect(Math.abs(box[2]! / (72 / 25.4) - widthMm)).toBeLessThan(0.1);
      if (fromPdf.width === fromEps.width && fromPdf.height === fromEps.height) {
        // Ghostscript draws any pixel that a shape touches; only what is no edge can be compared.
        expect(difference(fromPdf, fromEps).share(96), name).toBeLessThan(0.15);
      }
    }
  });

  test('with bleed the background reaches over the cut, and the box at which it is cut has the size', async () => {
    const options = { widthMm: 55.5, bleedMm: 3 };
    const style = { backgroundColor: '#FFF3C4' };
    const pdf = await save('bleed.pdf', await renderPdf(link, style, options, nodeDeflate));
    const { MediaBox, TrimBox, BleedBox } = boxesOf(pdf);
    const mm = (points: number) => points / (72 / 25.4);
    expect(mm(TrimBox![2]! - TrimBox![0]!)).toBeCloseTo(55.5, 1);
    expect(mm(BleedBox![2]! - BleedBox![0]!)).toBeCloseTo(61.5, 1);
    expect(MediaBox).toEqual(BleedBox);
    const raster = shownPdf(pdf);
    expect([...raster.data.subarray(0, 3)]).toEqual([0xff, 0xf3, 0xc4]);
    const eps = renderEps(link, style, options);
    expect(eps).toMatch(/^%%HiResBoundingBox: 0 0 174\.33\d* 174\.33\d*$/m);
    expect(eps).toMatch(/^%%BoundingBox: 0 0 175 175$/m);
    for (const line of eps.split('\n')) expect(line.length).toBeLessThanOrEqual(255);
  });

  test('in black only there is no other ink, with a logo and a frame too', async () => {
    const random = createRandom(11);
    const logo = await randomLogo('photograph', random);
    for (const style of [
      {},
      { dotsType: 'rounded', dotsColor: '#101820', logo: { asset_id: 'a' } },
    ] as const) {
      const frame = frameOf({ type: 'card', text: 'Scan me', color: '#1D4ED8' }, style);
      const options = { widthMm, ink: 'k', logo, frame } as const;
      const pdf = await save('k.pdf', await renderPdf(link, style, options, nodeDeflate));
      const eps = await save('k.eps', renderEps(link, style, options));
      for (const file of [pdf, eps]) {
        const said = ghostscript(['-dEPSCrop', '-o', '-', '-sDEVICE=inkcov', file]).toString();
        const [cyan, magenta, yellow, black] = said.trim().split(/\s+/).map(Number);
        expect([cyan, magenta, yellow]).toEqual([0, 0, 0]);
        expect(black).toBeGreaterThan(0.05);
      }
      expect(await zxing(shownPdf(pdf))).toBe(link);
      expect(await zxing(shownEps(eps))).toBe(link);
    }
  });

  test('the files hold no fonts, and every object is where the table says', async () => {
    const frame = frameOf({ type: 'bubble', text: 'Меню дня' }, {});
    const pdf = await save('whole.pdf', await renderPdf(link, {}, { widthMm, frame }, nodeDeflate));
    const said = execFileSync('pdffonts', [pdf], { encoding: 'utf8' });
    expect(said.trim().split('\n')).toHaveLength(2);
    // Ghostscript says so on its standard error where it has to repair a file.
    expect(ghostscript(['-o', '/dev/null', '-sDEVICE=nullpage', '-dPDFSTOPONERROR', pdf]).toString()).toBe(
      '',
    );
  });
});

async function save(name: string, content: string | Uint8Array): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, content);
  return file;
}

const ghostscript = (args: readonly string[]): Buffer =>
  execFileSync('gs', ['-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', ...args], { maxBuffer: 256e6 });

const shownPdf = (file: string): Raster =>
  rasterOfPpm(execFileSync('pdftoppm', ['-r', String(dpi), '-singlefile', file], { maxBuffer: 256e6 }));

const shownEps = (file: string): Raster =>
  rasterOfPpm(
    ghostscript([
      '-dEPSCrop',
      '-sDEVICE=ppmraw',
      '-dGraphicsAlphaBits=4',
      `-r${dpi}`,
      '-sOutputFile=-',
      file,
    ]),
  );

/** The boxes of the first page in points: left, bottom, right, top. */
function boxesOf(file: string): Record<string, number[]> {
  const said = execFileSync('pdfinfo', ['-box', file], { encoding: 'utf8' });
  return Object.fromEntries(
    [...said.matchAll(/^(\w+Box):\s+([\d.\s]+)$/gm)].map(match => [
      match[1]!,
      match[2]!.trim().split(/\s+/).map(Number),
    ]),
  );
}
