import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { anyBatch, someScan } from '@signpost/testing/scans.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultFields, type Scan, type ScanBatch } from '../../scan.ts';
import { unpackRecords } from '../../spool/records.ts';
import { countScans, decodeBatch, encodeBatch, encodedFrom } from './batch.ts';
import { batchVersions } from './scan-bytes.ts';

describe('an encoded batch', () => {
  test('decodes to what was encoded', () => {
    fc.assert(
      fc.property(anyBatch, batch => {
        const sealed = encodeBatch(batch);
        expect(decodeBatch(sealed.bytes)).toEqual({ ok: true, batch });
        expect(encodedFrom(sealed.bytes)).toEqual(sealed);
        expect(countScans(sealed.bytes)).toBe(batch.scans.length);
      }),
      { numRuns: 1000 },
    );
  });

  test('takes about a hundred bytes per scan', () => {
    const scans = Array.from({ length: 100 }, () => someScan());
    expect(encodeBatch({ id: someScan().id, scans }).bytes.length / 100).toBeLessThan(110);
  });

  test('that is cut short or has trailing bytes is refused', () => {
    fc.assert(
      fc.property(anyBatch, fc.nat(), (batch, at) => {
        const { bytes } = encodeBatch(batch);
        expect(decodeBatch(bytes.subarray(0, at % bytes.length))).toEqual({ ok: false, reason: 'too_short' });
        expect(decodeBatch(Buffer.concat([bytes, Buffer.of(0)]))).toEqual({ ok: false, reason: 'too_long' });
      }),
    );
  });

  test('of an unknown version, or without one, is refused as such', () => {
    expect(decodeBatch(Buffer.of(3, 0, 0))).toEqual({ ok: false, reason: 'unknown_version' });
    expect(decodeBatch(Buffer.of())).toEqual({ ok: false, reason: 'too_short' });
  });

  test('with any byte changed gives an outcome and never throws', () => {
    fc.assert(
      fc.property(anyBatch, fc.nat(), fc.nat(255), (batch, at, value) => {
        const bytes = Buffer.from(encodeBatch(batch).bytes);
        bytes[at % bytes.length] = value;
        expect(decodeBatch(bytes).ok).toBeTypeOf('boolean');
      }),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), bytes => {
        for (const version of batchVersions)
          expect(decodeBatch(Buffer.from([version, ...bytes])).ok).toBeTypeOf('boolean');
      }),
      { numRuns: 2000 },
    );
  });

  test('with invalid UTF-8 or an unknown device has a bad value', () => {
    const scan = someScan({ city: 'Köln' });
    const { bytes } = encodeBatch({ id: scan.id, scans: [scan] });
    const broken = Buffer.from(bytes);
    broken[broken.indexOf('ö')] = 0xff;
    expect(decodeBatch(broken)).toEqual({ ok: false, reason: 'bad_value' });
    const stranger = Buffer.from(bytes);
    stranger[1 + 16 + 2 + 64 + 6] = 0x7f;
    expect(decodeBatch(stranger)).toEqual({ ok: false, reason: 'bad_value' });
  });

  test('a corrupt text is truncated, so that one scan cannot make a batch too large', () => {
    const scan = someScan({ city: 'x'.repeat(100_000) });
    const opened = decodeBatch(encodeBatch({ id: scan.id, scans: [scan] }).bytes);
    expect(opened.ok && opened.batch.scans[0]?.city).toBe('x'.repeat(255));
  });
});

describe('a batch of version 1', () => {
  const golden = (name: string) => readFileSync(join(import.meta.dirname, 'golden', name));
  const first: Scan = {
    id: '0199a6c0-1111-7000-8000-000000000001',
    qrCodeId: '0199a6c0-0000-7000-8000-000000000001',
    accountId: '0199a6c0-0000-7000-8000-000000000002',
    mode: 'live',
    atMs: Date.UTC(2026, 10, 15, 12, 30, 15, 250),
    country: 'DE',
    region: 'North Rhine-Westphalia',
    city: 'Köln',
    device: 'ios',
    browser: 'safari',
    visitor: '00112233445566778899aabbccddeeff',
    window: '2026-11',
    ...defaultFields,
  };
  const second: Scan = {
    id: '0199a6c0-1111-7001-8000-000000000002',
    qrCodeId: '0199a6c0-0000-7000-8000-000000000003',
    accountId: '0199a6c0-0000-7000-8000-000000000002',
    mode: 'test',
    atMs: Date.UTC(2026, 10, 15, 12, 30, 15, 251),
    country: 'XX',
    region: '',
    city: '',
    device: 'other',
    browser: 'other',
    visitor: 'ffeeddccbbaa99887766554433221100',
    window: '2026-11-15',
    ...defaultFields,
  };
  const batch: ScanBatch = { id: '0199a6c0-2222-7000-8000-00000000000a', scans: [first, second] };

  test('in the log is read, and written the same', () => {
    expect(decodeBatch(golden('batch-1.bin'))).toEqual({ ok: true, batch });
    const added = { ...defaultFields, placement: 'Window', language: 'de' };
    const withAdded = { ...batch, scans: batch.scans.map(scan => ({ ...scan, ...added })) };
    expect(Buffer.compare(encodeBatch(withAdded, 1).bytes, golden('batch-1.bin'))).toBe(0);
  });

  test('in the spool is read', () => {
    const { records, sealed, damaged, tornBytes } = unpackRecords(golden('segment-1.bin'));
    expect([sealed, damaged, tornBytes]).toEqual([true, 0, 0]);
    const single = { id: '0199a6c0-2222-7000-8000-00000000000b', scans: [first] };
    expect(records.map(decodeBatch)).toEqual([
      { ok: true, batch },
      { ok: true, batch: single },
    ]);
  });
});

describe('the added fields of a scan', () => {
  const headerBytes = 1 + 16 + 2;

  /** A batch of one scan whose added fields are these bytes. */
  function batchWith(fields: Buffer): Buffer {
    const scan = someScan();
    const version1 = Buffer.from(encodeBatch({ id: scan.id, scans: [scan] }, 1).bytes);
    version1[0] = 2;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(fields.length);
    return Buffer.concat([version1, length, fields]);
  }

  const fieldsOf = (bytes: Buffer) => {
    const decoded = decodeBatch(bytes);
    if (!decoded.ok) return decoded.reason;
    const { ruleId, targetId, placement, language, sandbox } = decoded.batch.scans[0]!;
    return { ruleId, targetId, placement, language, sandbox };
  };

  test('that a later version adds are skipped', () => {
    const known = Buffer.from([4, 2, ...Buffer.from('de')]);
    const unknown = Buffer.from([99, 3, 1, 2, 3]);
    for (const fields of [
      [known, unknown],
      [unknown, known],
      [unknown, unknown, known],
    ])
      expect(fieldsOf(batchWith(Buffer.concat(fields)))).toEqual({ ...defaultFields, language: 'de' });
  });

  test('that are not what they say make the batch invalid', () => {
    expect(fieldsOf(batchWith(Buffer.from([1, 4, 1, 2, 3, 4])))).toBe('bad_value');
    expect(fieldsOf(batchWith(Buffer.from([4, 9, ...Buffer.from('esperanto')])))).toBe('bad_value');
    expect(fieldsOf(batchWith(Buffer.from([3, 2, 0xff, 0xff])))).toBe('bad_value');
    // A field that reaches beyond its scan.
    expect(fieldsOf(batchWith(Buffer.from([4, 3, ...Buffer.from('de')])))).toBe('too_short');
  });

  test('that mark a test are three bytes, which the versions before skip and other scans do not have', () => {
    const scan = someScan({ mode: 'test' });
    const bytes = (sandbox: boolean) => encodeBatch({ id: scan.id, scans: [{ ...scan, sandbox }] }).bytes;
    const end = bytes(false).length;
    expect([...bytes(true).subarray(end)]).toEqual([5, 1, 1]);
    expect([...bytes(false).subarray(end - 2)]).toEqual([0, 0]);
    expect(fieldsOf(batchWith(Buffer.from([5, 1, 1])))).toEqual({ ...defaultFields, sandbox: true });
    expect(fieldsOf(batchWith(Buffer.from([5, 2, 1, 1])))).toBe('bad_value');
  });

  test('take six bytes for a language, and two where there is none', () => {
    const scan = someScan();
    const size = (language: string) =>
      encodeBatch({ id: scan.id, scans: [{ ...scan, language }] }).bytes.length - headerBytes;
    const version1 = encodeBatch({ id: scan.id, scans: [scan] }, 1).bytes.length - headerBytes;
    expect([size('de') - version1, size('') - version1]).toEqual([6, 2]);
  });
});
