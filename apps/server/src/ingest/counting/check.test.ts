import { entryOf } from '@signpost/testing/file-scan-log.ts';
import { batchOf, scanOf } from '@signpost/testing/scan-ledger.ts';
import { expect, test } from 'vitest';
import { encodeBatch, type UnreadableReason } from '../../scans/log/format/batch.ts';
import type { LogEntry } from '../../scans/log/format/entry.ts';
import type { Scan, ScanBatch } from '../../scans/scan.ts';
import { UnknownLayout } from '../ingest.ts';
import { checkEntry, findFault } from './check.ts';

const code = {
  id: '019a8422-7c00-7000-8000-000000000001',
  accountId: '019a8422-7c00-7000-8000-000000000002',
};

test('a batch as the redirect writes it is valid, an empty one too', () => {
  expect(
    findFault(batchOf(scanOf(code, 1), scanOf(code, 2, { window: '2026-11-15', country: 'XX' }))),
  ).toBeNull();
  expect(findFault(batchOf())).toBeNull();
});

test('a field that a database would refuse is named', () => {
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
    ruleId: ['', null, 'rule_1'],
    targetId: ['', undefined, '0'],
    placement: [null, 'a\0b', '\ud800'],
    language: ['DE', 'de-AT', 'x'.repeat(9), null],
    // The scans here are live ones.
    sandbox: [true, 1, null],
  };
  for (const [field, values] of Object.entries(wrong)) {
    for (const value of values)
      expect([findFault(batchOf(scanOf(code, 1), scanOf(code, 1, { [field]: value }))), value]).toEqual([
        field,
        value,
      ]);
  }
});

test('values at the limits are valid', () => {
  const edges: Partial<Record<keyof Scan, readonly unknown[]>> = {
    mode: ['live', 'test'],
    atMs: [Date.UTC(2020), Date.UTC(2100) - 1],
    region: ['', 'x'.repeat(200)],
    city: ['', 'x'.repeat(200), '東京'],
    placement: ['', 'Schaufenster'],
    language: ['', 'de', 'x'.repeat(8)],
  };
  for (const [field, values] of Object.entries(edges)) {
    for (const value of values)
      expect([findFault(batchOf(scanOf(code, 1, { [field]: value }))), value]).toEqual([null, value]);
  }
});

test('a valid entry is unchanged; an invalid one keeps its reason and its bytes', () => {
  const { kind: _, ...good } = { ...entryOf(7, batchOf(scanOf(code, 1))), trace: '00-1-2-01' };
  expect(checkEntry({ ...good, kind: 'batch' } as LogEntry)).toEqual({ ...good, fault: null, missing: 0 });
  const bad = entryOf(8, batchOf(scanOf(code, 1, { country: 'Germany' })));
  expect(checkEntry(bad)).toMatchObject({
    position: 8,
    batch: { id: '', scans: [] },
    fault: 'country',
    bytes: encodeBatch((bad as { batch: ScanBatch }).batch).bytes,
  });
});

test('unreadable bytes keep their reason; only an unknown layout throws', () => {
  const mark = { batchId: '', appendedAtMs: 5 } as const;
  const unreadable = (reason: UnreadableReason, bytes: Uint8Array) =>
    ({ kind: 'unreadable', position: 3, reason, bytes, mark }) as const;
  for (const reason of ['too_short', 'too_long', 'bad_value'] as const)
    expect(checkEntry(unreadable(reason, Buffer.of(1, 2)))).toEqual({
      position: 3,
      batch: { id: '', scans: [] },
      bytes: Buffer.of(1, 2),
      mark,
      fault: reason,
      missing: 0,
    });
  const stop = () => checkEntry(unreadable('unknown_version', Buffer.of(99, 9)));
  expect(stop).toThrow(new UnknownLayout(3, 99));
});

test('trimmed entries become one entry without scans, with their number', () => {
  expect(checkEntry({ kind: 'missing', position: 9, count: 4 })).toMatchObject({
    position: 9,
    missing: 4,
    fault: null,
    batch: { scans: [] },
  });
});

test('a value that is no batch at all is named too', () => {
  for (const batch of [null, undefined, 7, 'x', {}, { id: 'x', scans: [] }])
    expect(findFault(batch as ScanBatch)).toBe('batch id');
  expect(findFault({ id: code.id } as ScanBatch)).toBe('scans');
  expect(findFault({ id: code.id, scans: [null] } as unknown as ScanBatch)).toBe('scan');
  expect(findFault({ id: code.id, scans: ['x'] } as unknown as ScanBatch)).toBe('scan');
});
