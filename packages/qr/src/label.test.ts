import { describe, expect, test } from 'vitest';
import { captionPath, fittedLines, labelParts } from './label.ts';
import { labelSheetOf } from './label-sheet.ts';
import { segmentsOf } from './path.ts';
import { textWidth } from './text.ts';

const wide = { width: 25, height: 22 };
const low = { width: 30, height: 5.12 };

describe('a caption', () => {
  test('that is short stays in one line, in the largest size', () => {
    expect(fittedLines('Table 4', wide)).toEqual({ lines: ['Table 4'], size: 3.2 });
    expect(fittedLines(' Table \n 4 ', low)).toEqual({ lines: ['Table 4'], size: 3.2 });
  });

  test('that is long wraps before it shrinks', () => {
    const { lines, size } = fittedLines('Table 14 by the large window to the garden', wide);
    expect(size).toBe(3.2);
    expect(lines.join(' ')).toBe('Table 14 by the large window to the garden');
    expect(lines.length).toBeGreaterThan(2);
  });

  test('below its code shrinks to one line, and wraps where that would be smaller', () => {
    expect(fittedLines('Table 14 by the large window', low).lines).toHaveLength(1);
    const { lines, size } = fittedLines('Table 14 by the large window to the garden', low);
    expect(lines).toHaveLength(2);
    expect(size).toBeGreaterThan(1.8);
  });

  test.each([
    ['a word that is too long', 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(3)],
    ['too many words', 'to the garden and back '.repeat(60)],
    ['letters without a space', '\u00df'.repeat(90)],
  ])('with %s is cut off, and never leaves its box', (_, caption) => {
    for (const box of [wide, low, { width: 4, height: 3 }]) {
      const { lines, size } = fittedLines(caption, box);
      expect(size).toBeGreaterThanOrEqual(1.2);
      expect(lines.some(line => line.endsWith('…'))).toBe(true);
      for (const line of lines) expect(textWidth(line) * size).toBeLessThanOrEqual(box.width + 1e-9);
    }
  });

  test.each([1, 8, 30, 80, 200])('of %i letters is drawn within its box on every sheet', length => {
    const caption = 'Table by the window to the garden '.repeat(6).slice(0, length);
    for (const layout of ['avery-l7160', 'avery-5160'] as const) {
      const box = labelParts(labelSheetOf(layout), true).caption!;
      for (const segment of segmentsOf(captionPath(caption, box))) {
        if (segment.kind === 'close') continue;
        expect(segment.x).toBeGreaterThanOrEqual(-0.3);
        expect(segment.x).toBeLessThanOrEqual(box.width + 0.3);
        expect(segment.y).toBeGreaterThanOrEqual(0);
        expect(segment.y).toBeLessThanOrEqual(box.height);
      }
    }
  });
});
