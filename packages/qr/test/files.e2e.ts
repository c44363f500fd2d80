import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderPng } from '../src/node.ts';
import { renderSvg } from '../src/svg.ts';
import { link, shapes, threeColors } from './support/styles.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signpost-qr-'));
});

afterAll(async () => await rm(folder, { recursive: true, force: true }));

describe('programs of the trade accept the files', () => {
  test('pngcheck finds nothing wrong with a PNG of any style, size and number of colours', async () => {
    const files = await writeAll(
      'png',
      (style, sizePx) => renderPng(link, style, sizePx),
      [64, 129, 512, 2048],
    );
    const said = execFileSync('pngcheck', files, { encoding: 'utf8' });
    expect(said.match(/^OK: /gm)).toHaveLength(files.length);
    expect(said).toMatch(/^No errors were detected/m);
  });

  test('xmllint finds nothing wrong with an SVG of any style', async () => {
    const files = await writeAll('svg', async (style, sizePx) => renderSvg(link, style, sizePx), [64, 512]);
    expect(
      execFileSync('xmllint', ['--noout', '--nonet', ...files], { encoding: 'utf8', stdio: 'pipe' }),
    ).toBe('');
  });

  test('zbarimg reads every PNG without round rings', async () => {
    const files = await writeAll('png', (style, sizePx) => renderPng(link, style, sizePx), [256]);
    const straight = files.filter((_, at) => shapes[Math.floor(at / 2)]!.cornersSquareType !== 'dot');
    const said = execFileSync('zbarimg', ['--quiet', '--nodbus', '--raw', ...straight], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
    expect(said.trim().split('\n')).toEqual(straight.map(() => link));
  });
});

type Draw = (style: object, sizePx: number) => Promise<Uint8Array | string>;

/** Writes every shape in one colour and in three, at every size; the last digit of a name tells them apart. */
async function writeAll(ending: string, draw: Draw, sizes: readonly number[]): Promise<string[]> {
  const files: string[] = [];
  for (const sizePx of sizes) {
    for (const [at, shape] of shapes.entries()) {
      for (const [colors, extra] of [{}, threeColors].entries()) {
        const file = join(folder, `${sizePx}-${at}-${colors}.${ending}`);
        await writeFile(file, await draw({ ...shape, ...extra }, sizePx));
        files.push(file);
      }
    }
  }
  return files;
}
