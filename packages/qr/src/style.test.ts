import { describe, expect, test } from 'vitest';
import { link } from '../test/support/styles.ts';
import { renderPng } from './node.ts';
import { paint } from './painter.ts';
import { checkedStyle, type Style } from './style.ts';
import { renderSvg } from './svg.ts';

const colorFields = ['dotsColor', 'backgroundColor', 'cornersSquareColor', 'cornersDotColor'] as const;
const wordFields = ['dotsType', 'cornersSquareType', 'cornersDotType'] as const;

/** What somebody might send to break out of an attribute, or simply by mistake. */
const notColors = [
  '#fff',
  'red',
  '#12345G',
  '#1234567',
  '#123456\n',
  '#fff"/><script>',
  'url(#a)',
  '',
  0,
  ['#123456'],
];

describe('the renderer checks a style again, whoever has checked it before', () => {
  test.each(colorFields)('%s must be #RRGGBB', async field => {
    for (const value of notColors) {
      await expectRefusal({ [field]: value } as Style, field);
    }
  });

  test.each(wordFields)('%s must be one of its words', async field => {
    for (const value of ['', 'Square', 'circle', '"/><script>', '__proto__', 'constructor', 7]) {
      await expectRefusal({ [field]: value } as Style, field);
    }
  });

  test('upper and lower case colours are taken, and left as they were written', () => {
    expect(checkedStyle({ dotsColor: '#aBcDeF' }).dotsColor).toBe('#aBcDeF');
  });
});

async function expectRefusal(style: Style, field: string) {
  const why = new RegExp(`^${field} is `);
  expect(() => renderSvg(link, style, 256), JSON.stringify(style)).toThrow(why);
  expect(() => paint(link, style, 256)).toThrow(why);
  await expect(renderPng(link, style, 256)).rejects.toThrow(why);
}
