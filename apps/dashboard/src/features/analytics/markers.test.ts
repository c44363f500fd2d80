import type { Edit } from '@signpost/contract';
import { expect, test } from 'vitest';
import { bucketsOf } from './buckets.ts';
import { markersOf } from './markers.ts';

const edit = (id: string, at: Date, more: Partial<Edit>): Edit => ({
  id,
  at: at.toISOString(),
  by: { kind: 'user', name: 'Ada' },
  field: 'destination_url',
  from: null,
  to: null,
  ...more,
});

test('a change of destination or status stands where it happened; names and older changes do not', () => {
  const series = ['2026-11-13', '2026-11-14', '2026-11-15'].map(date => ({
    date,
    total_scans: 1,
    unique_visitors: 1,
  }));
  const buckets = bucketsOf({
    series,
    before: null,
    interval: 'day',
    period: { start: '2026-11-13', end: '2026-11-15' },
    nowMs: new Date(2026, 10, 15, 12).getTime(),
    bornMs: null,
  });
  const markers = markersOf(
    [
      edit('c', new Date(2026, 10, 15, 6), { field: 'status', to: 'active' }),
      edit('b', new Date(2026, 10, 14, 12), { to: 'https://example.com/summer' }),
      edit('n', new Date(2026, 10, 14), { field: 'name', to: 'Menu' }),
      edit('a', new Date(2026, 10, 13), { field: 'status', to: 'paused' }),
      edit('o', new Date(2026, 10, 1), { to: 'https://example.com/old' }),
    ],
    buckets,
  );
  expect(markers.map(({ id, text, place }) => [id, text, place])).toEqual([
    ['a', 'Paused', 0],
    ['b', 'Destination changed to example.com/summer', 1.5],
    ['c', 'Resumed', 2.25],
  ]);
});
