import { expect, test } from 'vitest';
import { entryLabel, seriesCsv } from './series.ts';

test('a day keeps its date wherever the viewer is', () => {
  expect(entryLabel('2026-11-15', 'day', 'en-GB')).toBe('15 Nov');
  expect(entryLabel('2026-11-01', 'month', 'en-GB')).toBe('Nov 2026');
});

test('the file of a series has a header, one line an entry, and a line end at the end', () => {
  expect(seriesCsv([{ date: '2026-11-15', total_scans: 3, unique_visitors: 2 }])).toBe(
    'date,total_scans,unique_visitors\r\n2026-11-15,3,2\r\n',
  );
});
