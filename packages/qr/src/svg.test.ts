import { rasterOfSvg } from '@signpost/testing/raster.ts';
import { describe, expect, test } from 'vitest';
import { link, links, shapes, threeColors } from '../test/support/styles.ts';
import { layOut } from './layout.ts';
import { encode, isDark, withoutFinders } from './matrix.ts';
import { renderSvg } from './svg.ts';

describe('an SVG', () => {
  test('is at most 14 kB in every style and at every length of link', () => {
    for (const text of links) {
      for (const shape of shapes) {
        expect(renderSvg(text, { ...shape, ...threeColors }, 2048).length).toBeLessThanOrEqual(14_000);
      }
    }
  });

  test('holds a background and three paths, and nothing that could clash, run or load', () => {
    for (const shape of shapes) {
      const svg = renderSvg(link, { ...shape, ...threeColors }, 512);
      const elements = [...svg.matchAll(/<([a-z]+)/gi)].map(match => match[1]);
      expect(elements).toEqual(['svg', 'rect', 'g', 'path', 'path', 'path']);
      const attributes = [...svg.matchAll(/ ([a-z:-]+)="/gi)].map(match => match[1]!);
      expect(new Set(attributes)).toEqual(
        new Set(['xmlns', 'width', 'height', 'viewBox', 'fill', 'transform', 'fill-rule', 'd']),
      );
      for (const path of svg.matchAll(/ d="([^"]*)"/g)) expect(path[1]).toMatch(/^[Mmhvaz0-9 -]+$/);
      expect(svg).not.toMatch(/NaN|undefined|url\(|href|script|style|id=/);
    }
  });

  test('is the same text for the same input', () => {
    for (const shape of shapes) expect(renderSvg(link, shape, 512)).toBe(renderSvg(link, { ...shape }, 512));
  });
});

describe('no hairline shows between two dark modules', () => {
  const matrix = withoutFinders(encode(link));
  const { modulePx, offsetPx } = layOut(matrix.size, 512);
  // Types that fill a joint from side to side; in the others its ends are rounded off.
  const filled = shapes.filter(({ dotsType }) => dotsType !== 'dots');

  test.each([700, 777, 1000])('a 512 px picture drawn at %i px', widthPx => {
    let joints = 0;
    for (const shape of filled) {
      const { data } = rasterOfSvg(renderSvg(link, shape, 512), widthPx);
      const luma = (x: number, y: number) => data[(Math.floor(y) * widthPx + Math.floor(x)) * 4]!;
      const scale = widthPx / 512;
      for (let y = 0; y < matrix.size; y++) {
        for (let x = 0; x < matrix.size; x++) {
          if (!isDark(matrix, x, y)) continue;
          // The middle of the side that this module shares with its right and its lower neighbour.
          for (const [dx, dy] of [
            [1, 0],
            [0, 1],
          ] as const) {
            if (!isDark(matrix, x + dx, y + dy)) continue;
            joints++;
            const centreX = (offsetPx + (x + 0.5 + dx / 2) * modulePx) * scale;
            const centreY = (offsetPx + (y + 0.5 + dy / 2) * modulePx) * scale;
            for (const away of [-1, 0, 1]) {
              expect(luma(centreX + away * dx, centreY + away * dy)).toBeLessThanOrEqual(6);
            }
          }
        }
      }
    }
    expect(joints).toBeGreaterThan(filled.length * 100);
  });
});
