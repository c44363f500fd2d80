import { anyBatch, someScan } from '@signpost/testing/scans.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeBatch, encodeBatch, encodedFrom } from './batch.ts';

describe('an encoded batch', () => {
  test('decodes to what was encoded', () => {
    fc.assert(
      fc.property(anyBatch, batch => {
        const sealed = encodeBatch(batch);
        expect(decodeBatch(sealed.bytes)).toEqual({ ok: true, batch });
        expect(encodedFrom(sealed.bytes)).toEqual(sealed);
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
    expect(decodeBatch(Buffer.of(2, 0, 0))).toEqual({ ok: false, reason: 'unknown_version' });
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
        expect(decodeBatch(Buffer.from([1, ...bytes])).ok).toBeTypeOf('boolean');
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
