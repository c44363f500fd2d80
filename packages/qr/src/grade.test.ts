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
    ['#000000', '#FFFFFF', 'good'],
    ['#1a73e8', '#FFFFFF', 'good'],
    ['#e53935', '#FFFFFF', 'good'],
    ['#4CAF50', '#FFFFFF', 'fair'],
    ['#ff9800', '#FFFFFF', 'fair'],
    ['#ffeb3b', '#FFFFFF', 'poor'],
    ['#FFFFFF', '#000000', 'poor'],
    ['#480b75', '#23b537', 'poor'],
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

  test('a colour that no scanner can tell from the background is named', () => {
    expect(unscannableField({})).toBeNull();
    expect(unscannableField({ dotsColor: '#FFFFFE' })).toBe('dotsColor');
    expect(unscannableField({ cornersDotColor: '#F0F0F0' })).toBe('cornersDotColor');
    expect(unscannableField({ dotsColor: '#FFFFFF', backgroundColor: '#000000' })).toBeNull();
  });
});
