import { zbar, zxing } from '@signpost/testing/decoders.ts';
import { rasterOfSvg } from '@signpost/testing/raster.ts';
import { expect, test } from 'vitest';
import { gradeStyle } from '../src/grade.ts';
import { renderSvg } from '../src/svg.ts';
import { photograph } from './support/camera.ts';
import { createRandom } from './support/random.ts';
import { links, shapes } from './support/styles.ts';

/** Rounded rings among separate dots are graded fair for what is seen here. */
const isFair = (shape: (typeof shapes)[number]) => gradeStyle(shape).level === 'fair';

// Round rings are left out: they have no straight edges to correct a tilt by, and are graded no better than fair.
const straightRings = shapes.filter(shape => shape.cornersSquareType !== 'dot');
/** In CI, which has to stay quick, every third: each kind of dot and of corner is among them. */
const taken = straightRings.filter((_, at) => !process.env.CI || at % 3 === 0);

test.each(taken)(
  'a tilted, blurred and noisy photograph scans: $dotsType, $cornersSquareType, $cornersDotType',
  async shape => {
    const random = createRandom(20261114);
    const missed = { zxing: 0, zbar: 0 };
    const shots = 4;
    for (const link of links) {
      const picture = rasterOfSvg(renderSvg(link, shape, 512));
      for (let shot = 0; shot < shots; shot++) {
        const seen = photograph(picture, random);
        if ((await zxing(seen)) !== link) missed.zxing++;
        if ((await zbar(seen)) !== link) missed.zbar++;
      }
    }
    const photographs = links.length * shots;
    // Of a fair shape one frame in ten may be lost: a phone takes thirty in the second that a scan lasts.
    expect(missed.zxing).toBeLessThanOrEqual(isFair(shape) ? photographs / 10 : 0);
    expect(missed.zbar).toBeLessThanOrEqual(photographs / 20);
  },
  60_000,
);

test('the camera is no formality: the same photograph of a code drawn ten times as faint is lost', async () => {
  const random = createRandom(1);
  const faint = rasterOfSvg(renderSvg(links[0], { dotsColor: '#E8E8E8' }, 512));
  const seen = photograph(faint, random);
  expect([await zxing(seen), await zbar(seen)]).toEqual([null, null]);
});
