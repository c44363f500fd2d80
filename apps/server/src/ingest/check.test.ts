import { expect, test } from 'vitest';
import { batchOf, scanOf } from '../../../../test/support/scan-ledger.ts';
import type { Scan, ScanBatch } from '../scans/scan.ts';
import { checkEntry, whyNot } from './check.ts';

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
    id: ['', 7, '019A8422-7C00-7000-8000-000000000001', `${code.id}0`, `0${code.id}`, [code.id], undefined],
    qrCodeId: ['qr_1', null, code.id.replaceAll('-', '')],
    accountId: [{}, "'; drop table scans"],
    mode: ['LIVE', ''],
    atMs: [Number.NaN, 1.5, -1, '1794706241007', Date.UTC(2020) - 1, Date.UTC(2100), 1794706241007.5],
    country: ['de', 'DEU', '', 49, ['DE']],
    region: [null, 'x'.repeat(201), '\ud800'],
    city: [undefined, 'a\0b'],
    device: ['phone', null],
    browser: ['netscape', 1],
    visitor: ['ab', 'g'.repeat(32), 'A'.repeat(32), 'a'.repeat(33), ['a'.repeat(32)]],
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

test('values at the very edge are taken', () => {
  const edges: Partial<Record<keyof Scan, readonly unknown[]>> = {
    mode: ['live', 'test'],
    atMs: [Date.UTC(2020), Date.UTC(2100) - 1],
    region: ['', 'x'.repeat(200)],
    city: ['', 'x'.repeat(200), '東京'],
  };
  for (const [field, values] of Object.entries(edges)) {
    for (const value of values)
      expect([whyNot(batchOf(scanOf(code, 1, { [field]: value }))), value]).toEqual([null, value]);
  }
});

test('a good entry goes on as it is; of a bad one only its reason and its text are left', () => {
  const good = { position: 7, batch: batchOf(scanOf(code, 1)), trace: '00-1-2-01' };
  expect(checkEntry(good)).toEqual({ ...good, fault: null });
  const batch = batchOf(scanOf(code, 1, { country: 'Germany' }));
  expect(checkEntry({ position: 8, batch })).toEqual({
    position: 8,
    batch: { id: '', scans: [] },
    fault: { reason: 'country', text: JSON.stringify(batch) },
  });
  const nothing = checkEntry({ position: 9, batch: undefined as unknown as ScanBatch });
  expect(nothing.fault).toEqual({ reason: 'batch id', text: 'undefined' });
});

test('what is no batch at all is named too', () => {
  for (const batch of [null, undefined, 7, 'x', {}, { id: 'x', scans: [] }])
    expect(whyNot(batch as ScanBatch)).toBe('batch id');
  expect(whyNot({ id: code.id } as ScanBatch)).toBe('scans');
  expect(whyNot({ id: code.id, scans: [null] } as unknown as ScanBatch)).toBe('scan');
  expect(whyNot({ id: code.id, scans: ['x'] } as unknown as ScanBatch)).toBe('scan');
});
