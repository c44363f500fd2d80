import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { renderPng } from '../src/png.ts';
import { renderPrintPng, renderPrintSvg } from '../src/print.ts';
import type { Style } from '../src/style.ts';
import { renderSvg } from '../src/svg.ts';
import { goodColors, linksAt, sizes } from './support/every-style.ts';
import { link, shapes } from './support/styles.ts';

// Pictures of codes that exist are printed and cached, so they stay as they are, byte by byte. A picture is hashed before
// it is compressed: another version of zlib may give other bytes for the same pixels.

const file = new URL('golden.json', import.meta.url);
const golden: Record<string, string> = JSON.parse(await readFile(file, 'utf8'));

const uncompressed = async (bytes: Uint8Array) => bytes;

const draw = {
  PNG: (text: string, style: Style, sizePx: number) => renderPng(text, style, sizePx, uncompressed),
  SVG: async (text: string, style: Style, sizePx: number) => renderSvg(text, style, sizePx),
};

/** In CI, which has to stay quick, every fifth shape, of large pictures fewer. */
const takenAt = (sizePx: number) =>
  shapes.filter((_, at) => !process.env.CI || at % (sizePx > 512 ? 15 : 5) === 0);

describe.each(sizes)('at %i px every picture of a style without logo and gradient stays as it is', sizePx => {
  test.each(['PNG', 'SVG'] as const)(
    '%s',
    async format => {
      const found: Record<string, string> = {};
      for (const shape of takenAt(sizePx)) {
        const hash = createHash('sha256');
        for (const [turn, colors] of goodColors.entries()) {
          for (const text of linksAt(sizePx, turn))
            hash.update(await draw[format](text, { ...shape, ...colors }, sizePx));
        }
        found[`${format} ${sizePx} ${Object.values(shape).join(' ')}`] = hash.digest('hex').slice(0, 16);
      }
      await compare(found);
    },
    120_000,
  );
});

test('for print too', async () => {
  const found: Record<string, string> = {};
  for (const shape of takenAt(500)) {
    const hash = createHash('sha256');
    for (const isClear of [false, true]) {
      hash.update(await renderPrintPng(link, shape, { sizePx: 500, dpi: 300, isClear }, uncompressed));
      hash.update(renderPrintSvg(link, shape, { widthMm: 30, isClear }));
    }
    found[`print ${Object.values(shape).join(' ')}`] = hash.digest('hex').slice(0, 16);
  }
  await compare(found);
});

/** With GOLDEN=record they are written down: only for new styles, never to get rid of a difference. */
async function compare(found: Record<string, string>): Promise<void> {
  if (process.env.GOLDEN === 'record') {
    Object.assign(golden, found);
    await writeFile(file, `${JSON.stringify(golden, null, 2)}\n`);
  }
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map(name => [name, golden[name]])));
}
