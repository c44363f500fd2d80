import { gradeStyle, type Style, unscannableField } from '@signpost/qr';
import { expect, test } from 'vitest';
import { fixColors } from './fix-style.ts';

const colors = ['#000000', '#FFFFFF', '#808080', '#C0C0C0', '#FFFF00', '#0000FF', '#FF0000', '#12AB9F'];

test('whatever the colours were, the mended ones scan well', () => {
  const styles = colors.flatMap(dotsColor =>
    colors.flatMap(backgroundColor => [
      { dotsColor, backgroundColor },
      ...colors.map((cornersDotColor): Style => ({ dotsColor, backgroundColor, cornersDotColor })),
      ...colors.map((cornersSquareColor): Style => ({ dotsColor, backgroundColor, cornersSquareColor })),
    ]),
  );
  for (const style of styles) {
    const fixed = fixColors(style);
    expect([style, gradeStyle(fixed).level]).toEqual([style, 'good']);
    expect(unscannableField(fixed)).toBeNull();
  }
});

test('what scans well already stays, and shapes stay in any case', () => {
  const good = { dotsColor: '#0C4A6E', dotsType: 'rounded' } as const;
  expect(fixColors(good)).toBe(good);
  expect(fixColors({ dotsColor: '#AAAAAA', dotsType: 'rounded' }).dotsType).toBe('rounded');
});

test('a gradient is mended colour by colour, and the corners beside it too', () => {
  for (const first of colors) {
    for (const second of colors) {
      for (const backgroundColor of colors) {
        const stops = [
          { offset: 0, color: first },
          { offset: 1, color: second },
        ];
        const style: Style = { backgroundColor, dotsColor: second, dotsGradient: { type: 'linear', stops } };
        expect([style, gradeStyle(fixColors(style)).level]).toEqual([style, 'good']);
      }
    }
  }
});
