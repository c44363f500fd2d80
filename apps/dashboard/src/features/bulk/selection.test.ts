import { describe, expect, test } from 'vitest';
import { mostSelected, nothingSelected, rangeOf, type Selected, withCodes } from './selection.ts';

const code = (n: number): Selected => ({
  id: `qr_${n}`,
  name: `Code ${n}`,
  destination_url: 'https://a.example',
  status: 'active',
  tags: [],
});
const codes = (count: number) => Array.from({ length: count }, (_, n) => code(n));

describe('a selection', () => {
  test('grows and shrinks, and keeps what was chosen on other pages', () => {
    const two = withCodes(nothingSelected, codes(2), true);
    const more = withCodes(two, [code(7)], true);
    expect([...withCodes(more, [code(0)], false).keys()]).toEqual(['qr_1', 'qr_7']);
    expect(nothingSelected.size).toBe(0);
  });

  test('ends at the limit', () => {
    const full = withCodes(nothingSelected, codes(mostSelected + 3), true);
    expect(full.size).toBe(mostSelected);
    expect(withCodes(full, [code(1)], true).size).toBe(mostSelected);
  });
});

test('Shift chooses everything between, in both directions', () => {
  const all = codes(5);
  const ids = (from: string | null, to: string) => rangeOf(all, from, to).map(({ id }) => id);
  expect(ids('qr_1', 'qr_3')).toEqual(['qr_1', 'qr_2', 'qr_3']);
  expect(ids('qr_3', 'qr_1')).toEqual(['qr_1', 'qr_2', 'qr_3']);
  expect(ids(null, 'qr_2')).toEqual(['qr_2']);
  expect(ids('qr_gone', 'qr_2')).toEqual(['qr_2']);
  expect(ids('qr_1', 'qr_gone')).toEqual([]);
});
