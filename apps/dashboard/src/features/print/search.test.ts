import { expect, test } from 'vitest';
import { parsePrintSearch } from './search.ts';

test('codes come from the address, each once, and nothing else does', () => {
  expect(parsePrintSearch({ ids: ['qr_1', 'qr_1', 'dsn_1', 7, 'qr_2'] })).toEqual({ ids: ['qr_1', 'qr_2'] });
  expect(parsePrintSearch({ ids: 'qr_1' })).toEqual({});
  expect(parsePrintSearch({})).toEqual({});
  expect(parsePrintSearch({ ids: ['qr_1'], placements: true })).toEqual({ ids: ['qr_1'], placements: true });
  expect(parsePrintSearch({ placements: 'all' })).toEqual({});
  const many = Array.from({ length: 600 }, (_, at) => `qr_${at}`);
  expect(parsePrintSearch({ ids: many }).ids).toHaveLength(500);
});
