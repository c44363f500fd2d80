import { expect, test } from 'vitest';
import { links } from '../test/support/styles.ts';
import { layOut } from './layout.ts';
import { encode } from './matrix.ts';
import { paint } from './painter.ts';

const sizes = [64, 128, 200, 256, 300, 512, 777, 1000, 1024, 2048];

test.each(sizes)(
  'at %i px four modules around the code are free, and a dark module touches each side',
  sizePx => {
    for (const link of links) {
      const modules = encode(link).size;
      const { modulePx, offsetPx } = layOut(modules, sizePx);
      const { pixels } = paint(link, {}, sizePx);
      const dark = (x: number, y: number) => pixels[y * sizePx + x] !== 0;
      const last = offsetPx + modules * modulePx - 1;
      expect(offsetPx).toBeGreaterThanOrEqual(4 * modulePx);
      expect(sizePx - 1 - last).toBeGreaterThanOrEqual(4 * modulePx);
      for (let y = 0; y < sizePx; y++) {
        for (let x = 0; x < sizePx; x++) {
          const inCode = x >= offsetPx && x <= last && y >= offsetPx && y <= last;
          if (!inCode && dark(x, y)) expect.fail(`ink in the quiet zone at ${x}, ${y}`);
        }
      }
      // The corners of the finders lie exactly where the layout says.
      expect([dark(offsetPx, offsetPx), dark(last, offsetPx), dark(offsetPx, last)]).toEqual([
        true,
        true,
        true,
      ]);
    }
  },
);

test('modules are whole pixels, at least three of them from 128 px up for every length of link', () => {
  for (let sizePx = 128; sizePx <= 2048; sizePx += 3) {
    for (const link of links) {
      const { modulePx } = layOut(encode(link).size, sizePx);
      expect(Number.isInteger(modulePx)).toBe(true);
      expect(modulePx).toBeGreaterThanOrEqual(3);
    }
  }
});

test.each([63, 2049, 0, -1, 512.5, Number.NaN, Number.POSITIVE_INFINITY])(
  'a size of %d is refused',
  sizePx => {
    expect(() => layOut(29, sizePx)).toThrow(RangeError);
  },
);

test('a code with more modules than the picture has pixels is refused', () => {
  expect(() => layOut(57, 64)).toThrow(/too few/);
  expect(layOut(56, 64).modulePx).toBe(1);
});
