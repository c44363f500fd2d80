import { expect, test } from 'vitest';
import { alpha2Of } from './countries.ts';

test('the numbers of the map lead to the letters of scans', () => {
  expect(alpha2Of('276')).toBe('DE');
  expect(alpha2Of('076')).toBe('BR');
  expect(alpha2Of('undefined')).toBeUndefined();
});
