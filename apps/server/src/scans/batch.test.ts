import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyBatch, someScan } from '../../../../test/support/scans.ts';
import { openBatch, sealBatch, sealedFrom } from './batch.ts';

describe('a batch in bytes', () => {
  test('comes out as it went in', () => {
    fc.assert(
      fc.property(anyBatch, batch => {
        const sealed = sealBatch(batch);
        expect(openBatch(sealed.bytes)).toEqual({ ok: true, batch });
        expect(sealedFrom(sealed.bytes)).toEqual(sealed);
      }),
      { numRuns: 1000 },
    );
  });

  test('takes about a hundred bytes a scan', () => {
    const scans = Array.from({ length: 100 }, () => someScan());
    expect(sealBatch({ id: someScan().id, scans }).bytes.length / 100).toBeLessThan(110);
  });

  test('cut short or with more behind it, is told from a good one', () => {
    fc.assert(
      fc.property(anyBatch, fc.nat(), (batch, at) => {
        const { bytes } = sealBatch(batch);
        expect(openBatch(bytes.subarray(0, at % bytes.length))).toEqual({ ok: false, reason: 'too_short' });
        expect(openBatch(Buffer.concat([bytes, Buffer.of(0)]))).toEqual({ ok: false, reason: 'too_long' });
      }),
    );
  });

  test('of a version from the future, or none, is told by name', () => {
    expect(openBatch(Buffer.of(2, 0, 0))).toEqual({ ok: false, reason: 'unknown_version' });
    expect(openBatch(Buffer.of())).toEqual({ ok: false, reason: 'too_short' });
  });

  test('with any byte changed, gives an outcome and never throws', () => {
    fc.assert(
      fc.property(anyBatch, fc.nat(), fc.nat(255), (batch, at, value) => {
        const bytes = Buffer.from(sealBatch(batch).bytes);
        bytes[at % bytes.length] = value;
        expect(openBatch(bytes).ok).toBeTypeOf('boolean');
      }),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), bytes => {
        expect(openBatch(Buffer.from([1, ...bytes])).ok).toBeTypeOf('boolean');
      }),
      { numRuns: 2000 },
    );
  });

  test('with text that is no UTF-8 or a device that is none, is a bad value', () => {
    const scan = someScan({ city: 'Köln' });
    const { bytes } = sealBatch({ id: scan.id, scans: [scan] });
    const broken = Buffer.from(bytes);
    broken[broken.indexOf('ö')] = 0xff;
    expect(openBatch(broken)).toEqual({ ok: false, reason: 'bad_value' });
    const stranger = Buffer.from(bytes);
    stranger[1 + 16 + 2 + 64 + 6] = 0x7f;
    expect(openBatch(stranger)).toEqual({ ok: false, reason: 'bad_value' });
  });

  test('a text that has gone wrong is cut, so that one scan cannot make a batch too large', () => {
    const scan = someScan({ city: 'x'.repeat(100_000) });
    const opened = openBatch(sealBatch({ id: scan.id, scans: [scan] }).bytes);
    expect(opened.ok && opened.batch.scans[0]?.city).toBe('x'.repeat(255));
  });
});
