import { describe, expect, test } from 'vitest';
import { gradeStyle } from '../src/grade.ts';
import { everyStyleScans, goodColors, sizes } from './support/every-style.ts';

test('every colour in this test is graded good', () => {
  expect(goodColors.map(colors => gradeStyle(colors).level)).toEqual(goodColors.map(() => 'good'));
});

describe.each(sizes)('at %i px every style scans to the exact link', sizePx => {
  test('from PNG', () => everyStyleScans('PNG', sizePx), 180_000);
});
