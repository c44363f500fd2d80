import { expect, test } from 'vitest';
import { isSameStyle } from './same-style.ts';

const logo = { asset_id: 'ast_1' };
const stops = [
  { offset: 0, color: '#000000' },
  { offset: 1, color: '#1D4ED8' },
];

test('styles that look the same are the same, whatever they leave out', () => {
  expect(isSameStyle({}, { dotsColor: '#000000', cornersSquareType: 'square' })).toBe(true);
  expect(isSameStyle({ logo }, { logo: { ...logo, size: 'medium', shape: 'square', margin: 0.5 } })).toBe(
    true,
  );
  const dotsGradient = { type: 'linear', stops } as const;
  expect(isSameStyle({ dotsGradient }, { dotsGradient: { rotation: 0, ...dotsGradient } })).toBe(true);
});

test('styles that differ in anything that is seen are not', () => {
  expect(isSameStyle({}, { dotsColor: '#000001' })).toBe(false);
  expect(isSameStyle({ logo }, { logo: { ...logo, margin: 1 } })).toBe(false);
  expect(isSameStyle({}, { logo })).toBe(false);
  expect(isSameStyle({}, { dotsGradient: { type: 'linear', stops } })).toBe(false);
});
