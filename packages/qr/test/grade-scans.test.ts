import { zbar, zxing } from '@signpost/testing/decoders.ts';
import { rasterOfPng, rasterOfSvg } from '@signpost/testing/raster.ts';
import { describe, expect, test } from 'vitest';
import { luma } from '../src/color.ts';
import { gradeStyle, unscannableField } from '../src/grade.ts';
import { renderPng } from '../src/node.ts';
import { cornersDotTypes, cornersSquareTypes, dotsTypes, type Style } from '../src/style.ts';
import { renderSvg } from '../src/svg.ts';
import { photograph } from './support/camera.ts';
import { createRandom, type Random } from './support/random.ts';
import { link, links } from './support/styles.ts';

/** In CI, which has to stay quick, the first of them. */
const styles = process.env.CI ? { good: 150, refused: 60 } : { good: 500, refused: 200 };

describe('the grade keeps its word', () => {
  test('of random styles graded good there is none that zxing or zbar cannot read', async () => {
    const random = createRandom(500);
    const missed: string[] = [];
    for (let good = 0; good < styles.good; ) {
      const style = randomStyle(random);
      if (gradeStyle(style).level !== 'good') continue;
      good++;
      const text = random.pick(links);
      const sizePx = 128 + Math.floor(random.next() * 512);
      const image = rasterOfPng(await renderPng(text, style, sizePx));
      if ((await zxing(image)) !== text) missed.push(`zxing ${sizePx} ${JSON.stringify(style)}`);
      if ((await zbar(image)) !== text) missed.push(`zbar ${sizePx} ${JSON.stringify(style)}`);
    }
    expect(missed).toEqual([]);
  }, 120_000);

  test('of random styles refused as unscannable a camera reads none', async () => {
    const random = createRandom(24);
    const read: string[] = [];
    for (let refused = 0; refused < styles.refused; ) {
      const style = withFaintPart(randomStyle(random), random);
      if (unscannableField(style) === null) continue;
      refused++;
      const seen = photograph(rasterOfSvg(renderSvg(link, style, 512)), random);
      if ((await zxing(seen)) !== null) read.push(`zxing ${JSON.stringify(style)}`);
      if ((await zbar(seen)) !== null) read.push(`zbar ${JSON.stringify(style)}`);
    }
    expect(read).toEqual([]);
  }, 120_000);
});

function randomStyle(random: Random): Style {
  const style = {
    dotsType: random.pick(dotsTypes),
    cornersSquareType: random.pick(cornersSquareTypes),
    cornersDotType: random.pick(cornersDotTypes),
    backgroundColor: random.color(),
    dotsColor: random.color(),
  };
  // As people do: often one colour for all, sometimes the corners in another, sometimes three colours.
  if (random.next() < 0.4) return style;
  if (random.next() < 0.5) return { ...style, cornersSquareColor: random.color() };
  return { ...style, cornersSquareColor: random.color(), cornersDotColor: random.color() };
}

/** Gives one part, or all of them, a random colour whose luma is close to that of the background. */
function withFaintPart(style: Style, random: Random): Style {
  const part = random.pick(['dotsColor', 'cornersSquareColor', 'cornersDotColor', 'all'] as const);
  let color = random.color();
  while (Math.abs(luma(color) - luma(style.backgroundColor!)) >= 24) color = random.color();
  if (part !== 'all') return { ...style, [part]: color };
  return { ...style, dotsColor: color, cornersSquareColor: color, cornersDotColor: color };
}
