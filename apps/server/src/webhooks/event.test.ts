import fc from 'fast-check';
import { expect, test } from 'vitest';
import { zeroId } from '../kernel/ids.ts';
import {
  deriveEventId,
  messageId,
  noDetails,
  qrCodeReleased,
  qrCodeSuspended,
  scanCreated,
} from './event.ts';

const scan = {
  id: '0190a5d2-7c1e-7abc-8def-0123456789ab',
  qrCodeId: '0190a5d2-7c1e-7abc-8def-0123456789ac',
  atMs: Date.UTC(2026, 10, 15, 8, 0, 0, 250),
  country: 'DE',
  city: 'München',
  device: 'ios',
} as const;

test('the body is exactly that of the interface', () => {
  expect(scanCreated(scan, true)).toBe(
    '{"event":"scan.created","timestamp":"2026-11-15T08:00:00.250Z","data":{"qr_id":"qr_01j2jx4z0yfay8vvr14d2pf2dc","scan_id":"scan_01j2jx4z0yfay8vvr14d2pf2db","country":"DE","city":"München","device":"ios","is_unique":true}}',
  );
});

test('with details the body says the rule, the target, the placement and the code at its end, and is the same before', () => {
  const route = { ruleId: scan.id, targetId: scan.qrCodeId, placement: 'table-12' };
  const code = { externalId: 'order-1', shortCode: 'menu', metadata: { branch: 'München' } };
  const begin = scanCreated(scan, true).slice(0, -2);
  expect(scanCreated(scan, true, { ...route, ...code })).toBe(
    `${begin},"rule_id":"rul_01j2jx4z0yfay8vvr14d2pf2db","target_id":"tgt_01j2jx4z0yfay8vvr14d2pf2dc","placement":"table-12","external_id":"order-1","short_code":"menu","metadata":{"branch":"München"}}}`,
  );
  const noRoute = { ruleId: zeroId, targetId: zeroId, placement: '' };
  expect(scanCreated(scan, true, { ...noRoute, ...noDetails })).toBe(
    `${begin},"rule_id":"","target_id":"","placement":"","external_id":null,"short_code":"","metadata":{}}}`,
  );
});

test('a suspension and a release have the same envelope', () => {
  const [code, at] = [{ qrCodeId: scan.qrCodeId, reason: 'Phishing' }, new Date(scan.atMs)];
  expect(qrCodeSuspended(code, at)).toBe(
    '{"event":"qrcode.suspended","timestamp":"2026-11-15T08:00:00.250Z","data":{"qr_id":"qr_01j2jx4z0yfay8vvr14d2pf2dc","reason":"Phishing","suspended_at":"2026-11-15T08:00:00.250Z"}}',
  );
  expect(qrCodeReleased(code, at)).toBe(
    '{"event":"qrcode.released","timestamp":"2026-11-15T08:00:00.250Z","data":{"qr_id":"qr_01j2jx4z0yfay8vvr14d2pf2dc","reason":"Phishing","released_at":"2026-11-15T08:00:00.250Z"}}',
  );
});

test('an event without an id gets one from its time and its parts', () => {
  const at = new Date(scan.atMs);
  const id = deriveEventId(at, 'qrcode.suspended', scan.qrCodeId, 'Phishing');
  expect(id).toBe(deriveEventId(at, 'qrcode.suspended', scan.qrCodeId, 'Phishing'));
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(Number.parseInt(id.slice(0, 13).replace('-', ''), 16)).toBe(scan.atMs);
  expect(deriveEventId(at, 'qrcode.released', scan.qrCodeId, 'Phishing')).not.toBe(id);
  expect(deriveEventId(at, 'qrcode.suspended', scan.qrCodeId, 'Malware')).not.toBe(id);
});

test('the id of a message is the same for the same scan and endpoint, another for any other, and begins with the time', () => {
  fc.assert(
    fc.property(fc.uuid({ version: 7 }), fc.uuid(), fc.uuid(), (scanId, one, other) => {
      const id = messageId(scanId, one);
      expect(id).toBe(messageId(scanId, one));
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(id.slice(0, 13)).toBe(scanId.slice(0, 13));
      if (one !== other) expect(messageId(scanId, other)).not.toBe(id);
    }),
  );
});
