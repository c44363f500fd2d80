import { describe, test } from 'vitest';
import { everyStyleScans, sizes } from './support/every-style.ts';

describe.each(sizes)('at %i px every style scans to the exact link', sizePx => {
  test('from SVG', () => everyStyleScans('SVG', sizePx), 180_000);
});
