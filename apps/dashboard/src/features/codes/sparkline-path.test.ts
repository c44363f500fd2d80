import { expect, test } from 'vitest';
import { sparklinePath } from './sparkline-path.ts';

test('the line goes from edge to edge, zero at the bottom and the most at the top', () => {
  expect(sparklinePath([0, 4, 2], 72, 24)).toBe('M0 23L36 1L72 12');
});

test('days without a scan are a flat line at the bottom', () => {
  expect(sparklinePath([0, 0], 72, 24)).toBe('M0 23L72 23');
});
