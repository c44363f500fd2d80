import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import { expect, test } from 'vitest';
import { gradientTypes } from '../src/gradient.ts';
import { logoShapes, logoSizes } from '../src/logo.ts';
import { encode, logoPlanFor } from '../src/matrix.ts';
import { renderPrintPng } from '../src/print.ts';
import { cornersDotTypes, cornersSquareTypes, dotsTypes, type Style } from '../src/style.ts';
import { renderSvg } from '../src/svg.ts';
import { renderEps, renderPdf } from '../src/vector.ts';
import { randomLogo } from './support/logos.ts';
import { createRandom, type Random } from './support/random.ts';

// Images of codes that are not compact are printed and cached, so they stay as they are: these hashes were recorded before
// there were compact codes. golden.test.ts has the styles without logo and gradient.

const file = new URL('compact-golden.json', import.meta.url);
const golden: readonly string[] = JSON.parse(await readFile(file, 'utf8').catch(() => '[]'));
const uncompressed = async (bytes: Uint8Array) => bytes;

/** In CI the first of them. */
const groups = ciScale(60, 5);
const perGroup = 10;

test('every image of a code that is not compact stays as it was, byte by byte', async () => {
  const found: string[] = [];
  for (let group = 0; group < groups; group++) {
    const random = createRandom(group);
    const hash = createHash('sha256');
    for (let at = 0; at < perGroup; at++) await draw(random, bytes => hash.update(bytes));
    found.push(hash.digest('hex').slice(0, 16));
  }
  if (process.env.GOLDEN === 'record') await writeFile(file, `${JSON.stringify(found, null, 2)}\n`);
  expect(found).toEqual(golden.slice(0, groups));
  expect(golden).toHaveLength(60);
}, 120_000);

async function draw(random: Random, write: (bytes: Uint8Array | string) => void): Promise<void> {
  const text = randomLink(random);
  const style = randomStyle(random, text);
  const options = style.logo ? { logo: await randomLogo('photograph', random, 24) } : {};
  write(encode(text).modules);
  write(renderSvg(text, style, 400, options));
  write(
    await renderPrintPng(text, style, { sizePx: 300, isClear: random.next() < 0.5 }, uncompressed, options),
  );
  write(await renderPdf(text, style, { widthMm: 30, ...options }, uncompressed));
  write(renderEps(text, style, { widthMm: 30, ...options }));
}

function randomLink(random: Random): string {
  const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789-_.'];
  const word = (length: number) => Array.from({ length }, () => random.pick(letters)).join('');
  const host = `${word(1 + Math.floor(random.next() * 12))}.example`;
  return `https://${host}/${word(3 + Math.floor(random.next() * 24))}`;
}

function randomStyle(random: Random, text: string): Style {
  const style: Style = {
    dotsType: random.pick(dotsTypes),
    cornersSquareType: random.pick(cornersSquareTypes),
    cornersDotType: random.pick(cornersDotTypes),
    dotsColor: random.color(),
    backgroundColor: '#FFFFFF',
  };
  const stops = [0, 1].map(offset => ({ offset, color: random.color() }));
  const filled =
    random.next() < 0.5 ? { ...style, dotsGradient: { type: random.pick(gradientTypes), stops } } : style;
  const logo = { asset_id: 'a', size: random.pick(logoSizes), shape: random.pick(logoShapes) };
  return random.next() < 0.5 && logoPlanFor(text, logo, false) ? { ...filled, logo } : filled;
}
