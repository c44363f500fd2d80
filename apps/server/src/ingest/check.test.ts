import { expect, test } from 'vitest';
import { batchOf, scanOf } from '../../../../test/support/scan-ledger.ts';
import type { Scan, ScanBatch } from '../scans/scan.ts';
import { whyNot } from './check.ts';

const code = {
  id: '019a8422-7c00-7000-8000-000000000001',
  accountId: '019a8422-7c00-7000-8000-000000000002',
};

test('a batch as the redirect writes it is taken, an empty one too', () => {
  expect(
    whyNot(batchOf(scanOf(code, 1), scanOf(code, 2, { window: '2026-11-15', country: 'XX' }))),
  ).toBeNull();
  expect(whyNot(batchOf())).toBeNull();
});

test('a value that an engine would refuse is named', () => {
  const wrong: Readonly<Record<keyof Scan, readonly unknown[]>> = {
    id: ['', 7, '019A8422-7C00-7000-8000-000000000001', undefined],
    qrCodeId: ['qr_1', null],
    accountId: [{}, "'; drop table scans"],
    mode: ['LIVE', ''],
    atMs: [Number.NaN, 1.5, -1, '1794706241007', Date.UTC(2100)],
    country: ['de', 'DEU', '', 49],
    region: [null, 'x'.repeat(201), '\ud800'],
    city: [undefined, 'a\0b'],
    device: ['phone', null],
    browser: ['netscape', 1],
    visitor: ['ab', 'g'.repeat(32), 'A'.repeat(32)],
    window: ['2026', '2026-13', "2026-11'); drop table visitors; --", '1999-01', null],
  };
  for (const [field, values] of Object.entries(wrong)) {
    for (const value of values)
      expect([whyNot(batchOf(scanOf(code, 1), scanOf(code, 1, { [field]: value }))), value]).toEqual([
        field,
        value,
      ]);
  }
});

test('what is no batch at all is named too', () => {
  for (const batch of [null, undefined, 7, 'x', {}, { id: 'x', scans: [] }])
    expect(whyNot(batch as ScanBatch)).toBe('batch id');
  expect(whyNot({ id: code.id } as ScanBatch)).toBe('scans');
  expect(whyNot({ id: code.id, scans: [null] } as unknown as ScanBatch)).toBe('scan');
});
