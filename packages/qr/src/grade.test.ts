import { describe, expect, test } from 'vitest';
import { gradeStyle, unscannableField } from './grade.ts';
import { resolveStyle } from './style.ts';

describe('defaults of a style', () => {
  test('everything is square and black on white', () => {
    expect(resolveStyle()).toEqual({
      dotsType: 'square',
      dotsColor: '#000000',
      backgroundColor: '#FFFFFF',
      cornersSquareType: 'square',
      cornersSquareColor: '#000000',
      cornersDotType: 'square',
      cornersDotColor: '#000000',
    });
  });

  test('corners follow the dots, and corner dots follow the corner squares', () => {
    expect(resolveStyle({ dotsColor: '#112233' })).toMatchObject({
      cornersSquareColor: '#112233',
      cornersDotColor: '#112233',
    });
    expect(resolveStyle({ dotsColor: '#112233', cornersSquareColor: '#445566' })).toMatchObject({
      cornersDotColor: '#445566',
    });
  });

  test('a round corner gets a round centre', () => {
    expect(resolveStyle({ cornersSquareType: 'dot' }).cornersDotType).toBe('dot');
    expect(resolveStyle({ cornersSquareType: 'extra-rounded' }).cornersDotType).toBe('square');
    expect(resolveStyle({ cornersSquareType: 'dot', cornersDotType: 'square' }).cornersDotType).toBe(
      'square',
    );
  });
});

describe('the grade of a style', () => {
  test.each([
    // Dark on white.
    ['#000000', '#FFFFFF', 'good'],
    ['#1a73e8', '#FFFFFF', 'good'],
    ['#e53935', '#FFFFFF', 'good'],
    ['#0000FF', '#FFFFFF', 'good'],
    ['#FF0000', '#FFFFFF', 'good'],
    ['#7F7F7F', '#FFFFFF', 'good'],
    ['#808080', '#FFFFFF', 'fair'],
    ['#4CAF50', '#FFFFFF', 'fair'],
    ['#ff9800', '#FFFFFF', 'fair'],
    ['#00FF00', '#FFFFFF', 'fair'],
    ['#00FFFF', '#FFFFFF', 'poor'],
    ['#ffeb3b', '#FFFFFF', 'poor'],
    ['#bbbbbb', '#FFFFFF', 'poor'],
    // Dark on a tint.
    ['#0b3d2e', '#f4e9cd', 'good'],
    ['#4a148c', '#e0f7fa', 'good'],
    ['#000000', '#ffeb3b', 'good'],
    ['#000000', '#808080', 'good'],
    ['#000000', '#7F7F7F', 'fair'],
    ['#000000', '#FF0000', 'poor'],
    ['#000000', '#0000FF', 'poor'],
    // Inverted, which many scanners do not read however strong the contrast is.
    ['#FFFFFF', '#000000', 'poor'],
    ['#ffeb3b', '#0d1b4c', 'poor'],
    ['#808080', '#000000', 'poor'],
    // Misleading: a contrast of 4.9 to 1 by the rule for text, yet decoders lose it; and colours that a person
    // tells apart at a glance while a camera sees one grey.
    ['#480b75', '#23b537', 'poor'],
    ['#FF0000', '#008000', 'poor'],
    ['#0000FF', '#8B0000', 'poor'],
  ])('%s on %s is %s', (dotsColor, backgroundColor, level) => {
    expect(gradeStyle({ dotsColor, backgroundColor }).level).toBe(level);
  });

  test('a good style has no reasons, any other names at least one', () => {
    expect(gradeStyle({}).reasons).toEqual([]);
    expect(gradeStyle({ dotsColor: '#ffeb3b' }).reasons.length).toBeGreaterThan(0);
  });

  test('light dots are fair to good while the corners carry the contrast', () => {
    expect(gradeStyle({ dotsColor: '#999999', cornersSquareColor: '#000000' }).level).toBe('good');
  });

  test('a round corner is fair, and poor with a square centre', () => {
    expect(gradeStyle({ cornersSquareType: 'dot' }).level).toBe('fair');
    expect(gradeStyle({ cornersSquareType: 'dot', cornersDotType: 'square' }).level).toBe('poor');
  });

  test('rounded corners among separate dots are fair, either alone is good', () => {
    expect(gradeStyle({ dotsType: 'dots', cornersSquareType: 'extra-rounded' }).level).toBe('fair');
    expect(gradeStyle({ dotsType: 'rounded', cornersSquareType: 'extra-rounded' }).level).toBe('good');
    expect(gradeStyle({ dotsType: 'dots' }).level).toBe('good');
  });

  test('a colour that no scanner can tell from the background is named', () => {
    expect(unscannableField({})).toBeNull();
    expect(unscannableField({ dotsColor: '#FFFFFE' })).toBe('dotsColor');
    expect(unscannableField({ cornersDotColor: '#F0F0F0' })).toBe('cornersDotColor');
    expect(unscannableField({ dotsColor: '#FFFFFF', backgroundColor: '#000000' })).toBeNull();
  });

  test('what is named was chosen: a background that meets the default dots is named itself', () => {
    expect(unscannableField({ backgroundColor: '#000000' })).toBe('backgroundColor');
    expect(unscannableField({ backgroundColor: '#000000', cornersSquareColor: '#FFFFFF' })).toBe(
      'backgroundColor',
    );
    expect(unscannableField({ backgroundColor: '#000000', dotsColor: '#000000' })).toBe('dotsColor');
    expect(
      unscannableField({ backgroundColor: '#000000', dotsColor: '#FFFFFF', cornersDotColor: '#000001' }),
    ).toBe('cornersDotColor');
  });
});
