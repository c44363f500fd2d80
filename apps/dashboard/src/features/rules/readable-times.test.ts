import { expect, test } from 'vitest';
import { readableTimes } from './readable-times.ts';

test('times are written on the clock that the rule goes by', () => {
  expect(
    readableTimes(
      'Rule 1 (Lunch) does not apply: time 2026-11-19T04:05:06.789Z is not in [mon tue 11:00 to 14:30] of Asia/Tokyo',
    ).replaceAll('\u202f', ' '),
  ).toBe(
    'Rule 1 (Lunch) does not apply: time Thu, Nov 19, 2026, 1:05 PM is not in [mon tue 11:00 to 14:30] of Asia/Tokyo',
  );
  expect(readableTimes('Rule 1 applies: it has no conditions')).toBe('Rule 1 applies: it has no conditions');
});
