import fc from 'fast-check';
import { addressBlock } from '../../../apps/server/src/kernel/addresses/client-address.ts';
import { systemClock } from '../../../apps/server/src/kernel/clock.ts';
import { createIds, toIdBytes, type Uuid, zeroId } from '../../../apps/server/src/kernel/ids.ts';
import type { Durability } from '../../../apps/server/src/scans/log/durable-append.ts';
import { encodeScan } from '../../../apps/server/src/scans/log/format/scan-bytes.ts';
import type { GroupCommit } from '../../../apps/server/src/scans/log/group-commit.ts';
import {
  browsers,
  defaultFields,
  devices,
  type Scan,
  type ScanBatch,
} from '../../../apps/server/src/scans/scan.ts';
import { type Salt, userAgentBytes, writeVisitor } from '../../../apps/server/src/scans/visitor.ts';

export const ids = createIds(systemClock);

/** The writer, with a `write` that encodes the scan and returns a promise of its outcome. */
export const withPromises = <Writer extends Pick<GroupCommit, 'write'>>(writer: Writer) => ({
  ...writer,
  write: (scan: Scan) => new Promise<Durability>(resolve => writer.write(encodeScan(scan), resolve)),
});

/** A visitor in hex, as a scan has it. */
export function visitorOf(salt: Salt, accountId: Uuid, address: string, userAgent: string): string {
  const visitor = Buffer.alloc(16);
  writeVisitor(
    salt,
    toIdBytes(zeroId, accountId),
    addressBlock(address),
    userAgentBytes(userAgent),
    visitor,
    0,
  );
  return visitor.toString('hex');
}

/** A typical scan. */
export function someScan(more: Partial<Scan> = {}): Scan {
  return {
    id: ids.next(),
    qrCodeId: '0190a5d2-7c1e-7abc-8def-0123456789ab',
    accountId: '0190a5d2-7c1e-7abc-8def-ba9876543210',
    mode: 'live',
    atMs: Date.now(),
    country: 'DE',
    region: 'Bavaria',
    city: 'Munich',
    device: 'ios',
    browser: 'safari',
    visitor: '00112233445566778899aabbccddeeff',
    window: '2026-11',
    ...defaultFields,
    ...more,
  };
}

const text = (maxLength: number) => fc.string({ unit: 'grapheme', maxLength });
const hex16 = fc
  .uint8Array({ minLength: 16, maxLength: 16 })
  .map(bytes => Buffer.from(bytes).toString('hex'));

const anyScan: fc.Arbitrary<Scan> = fc.record({
  id: fc.uuid(),
  qrCodeId: fc.uuid(),
  accountId: fc.uuid(),
  mode: fc.constantFrom('live', 'test'),
  atMs: fc.integer({ min: 0, max: 2 ** 48 - 1 }),
  country: fc.stringMatching(/^[A-Z]{2}$/),
  region: text(40),
  city: text(40),
  device: fc.constantFrom(...devices),
  browser: fc.constantFrom(...browsers),
  visitor: hex16,
  window: fc.constantFrom('2026-11', '2026-11-15'),
  ruleId: fc.oneof(fc.constant(zeroId), fc.uuid()),
  targetId: fc.oneof(fc.constant(zeroId), fc.uuid()),
  placement: text(24)
    .map(place => place.slice(0, 24))
    .filter(place => place.isWellFormed()),
  language: fc.stringMatching(/^[a-z]{0,8}$/),
});

export const anyBatch: fc.Arbitrary<ScanBatch> = fc.record({
  id: fc.uuid(),
  scans: fc.array(anyScan, { maxLength: 20 }),
});
