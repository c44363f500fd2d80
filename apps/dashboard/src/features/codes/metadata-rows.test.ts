import { expect, test } from 'vitest';
import { metadataChange, rowFaults, rowsOf } from './metadata-rows.ts';

const row = (key: string, value = '', number = 0) => ({ number, key, value });

test('only what differs is sent, and a key that is gone as null', () => {
  const before = { branch: 'Hamburg', table: '4' };
  expect(metadataChange(before, rowsOf(before))).toBeUndefined();
  expect(metadataChange(before, [row('table', '5'), row('floor', '1')])).toEqual({
    branch: null,
    table: '5',
    floor: '1',
  });
});

test('a name that is wrong or used twice, and a value that is too long, are said in their cells', () => {
  const rows = [row('branch'), row('a b'), row(''), row('branch'), row('long', 'x'.repeat(501))];
  const faults = rowFaults(rows);
  expect(faults.map(({ key }) => key !== null)).toEqual([false, true, true, true, false]);
  expect(faults.map(({ value }) => value !== null)).toEqual([false, false, false, false, true]);
});
