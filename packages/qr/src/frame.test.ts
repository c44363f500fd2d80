import { paulmillr, zbar, zxing } from '@signpost/testing/decoders.ts';
import { rasterOfPng, rasterOfSvg } from '@signpost/testing/raster.ts';
import { describe, expect, test } from 'vitest';
import { link } from '../test/support/styles.ts';
import { channelsOf } from './color.ts';
import { frameTypes } from './frame.ts';
import { frameOf, missingLetter } from './frames.ts';
import { canvasOf, quietModules } from './layout.ts';
import { renderPng } from './node.ts';
import { sceneOf } from './scene.ts';
import { renderSvg } from './svg.ts';
import { textWidth } from './text.ts';

const style = { backgroundColor: '#FFF8E1', cornersSquareColor: '#7C2D12' } as const;
const texts = ['Scan me', 'Σαρώστε με', 'Отсканируйте', 'Zażółć gęślą jaźń — über', 'W'];

describe.each(frameTypes)('a frame of type %s', type => {
  test('leaves the quiet zone free, in every size', async () => {
    for (const [at, sizePx] of [150, 300, 512, 777, 1024].entries()) {
      const frame = frameOf({ type, text: texts[at]! }, style);
      const scene = sceneOf(link, style, { frame });
      const { leftPx, topPx, modulePx } = canvasOf(scene, sizePx);
      const image = rasterOfPng(await renderPng(link, style, sizePx, { frame }));
      const paper = channelsOf(style.backgroundColor);
      const quiet = quietModules * modulePx;
      const code = scene.modules * modulePx;
      // Its outermost line of pixels may be shared with the frame.
      const spared = 1;
      for (let y = -quiet + spared; y < code + quiet - spared; y++) {
        for (let x = -quiet + spared; x < code + quiet - spared; x++) {
          if (x >= 0 && x < code && y >= 0 && y < code) continue;
          const at = ((topPx + y) * image.width + leftPx + x) * 4;
          if ([...image.data.subarray(at, at + 3)].join() !== paper.join())
            expect.fail(`ink in the quiet zone at ${x}, ${y} of ${sizePx}`);
        }
      }
    }
  });

  test('is read by every decoder, from PNG and from SVG', async () => {
    for (const text of texts) {
      const frame = frameOf({ type, text }, style);
      const images = [
        rasterOfPng(await renderPng(link, style, 400, { frame })),
        rasterOfSvg(renderSvg(link, style, 400, { frame })),
      ];
      for (const image of images) {
        expect([await zxing(image), await zbar(image), await paulmillr(image)]).toEqual([link, link, link]);
      }
    }
  });
});

test('a character without an outline is named', () => {
  expect(missingLetter('Scan me ✓')).toBe('✓');
  expect(missingLetter('扫一扫')).toBe('扫');
  expect(missingLetter('__proto__ constructor')).toBeNull();
  expect(texts.map(missingLetter)).toEqual(texts.map(() => null));
  expect(() => frameOf({ type: 'card', text: '扫' }, {})).toThrow(/missing/);
});

test('accents that follow their letter are drawn as one with it', () => {
  expect(textWidth('u\u0308ber')).toBe(textWidth('über'));
});
