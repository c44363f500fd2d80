import { gradeStyle, renderSvg } from '@signpost/qr';
import { expect, test } from 'vitest';
import { canAdd, canRemove, movedStop, startGradient, withStop } from './gradient.ts';

test('a new gradient scans as well as the colour that it starts from', () => {
  for (const dotsColor of ['#000000', '#0C4A6E', '#1D4ED8', '#7F1D1D'])
    expect(gradeStyle({ dotsColor, dotsGradient: startGradient(dotsColor) }).level).toBe('good');
});

test('colours are added in the widest gap until there are five, and always in order', () => {
  let { stops } = startGradient('#000000');
  expect(canRemove(stops)).toBe(false);
  while (canAdd(stops)) stops = withStop(stops);
  expect(stops.map(stop => stop.offset)).toEqual([0, 0.25, 0.5, 0.75, 1]);
  expect(stops[2]!.color).toBe('#0F276C');
  expect(renderSvg('https://a.bc/def', { dotsGradient: { type: 'radial', stops } }, 128)).toContain(
    '#0F276C',
  );
});

test('a colour moves between its neighbours and never past them', () => {
  const stops = withStop(startGradient('#000000').stops);
  expect(movedStop(stops, 1, 0.2)[1]!.offset).toBe(0.2);
  expect(movedStop(stops, 1, 4)[1]!.offset).toBe(1);
  expect(movedStop(stops, 0, 0.9)[0]!.offset).toBe(0.5);
  expect(movedStop(stops, 2, -1)[2]!.offset).toBe(0.5);
});
