import { createHash } from 'node:crypto';
import type {
  AccountReleasedEvent,
  AccountSuspendedEvent,
  QrCodeReleasedEvent,
  QrCodeSuspendedEvent,
  ScanCreatedEvent,
} from '@signpost/contract';
import { formatId, type Uuid, zeroId } from '../kernel/ids.ts';
import type { Scan } from '../scans/scan.ts';

type ScanFields = Pick<Scan, 'id' | 'qrCodeId' | 'atMs' | 'country' | 'city' | 'device'>;

type ScanRoute = Pick<Scan, 'ruleId' | 'targetId' | 'placement'>;

/** What the owner of a code knows it by. */
export type CodeDetails = {
  readonly externalId: string | null;
  readonly shortCode: string;
  /** Null if it is too long to be sent. */
  readonly metadata: Readonly<Record<string, string>> | null;
};

/** Those of a code that no longer exists. */
export const noDetails: CodeDetails = { externalId: null, shortCode: '', metadata: {} };

/** The body of the event, byte for byte as it is signed and sent. With details only for endpoints that want them. */
export function scanCreated(scan: ScanFields, isUnique: boolean, details?: ScanRoute & CodeDetails): string {
  const event: ScanCreatedEvent = {
    event: 'scan.created',
    timestamp: new Date(scan.atMs).toISOString(),
    data: {
      qr_id: formatId('qr', scan.qrCodeId),
      scan_id: formatId('scan', scan.id),
      country: scan.country,
      city: scan.city,
      device: scan.device,
      is_unique: isUnique,
      ...(details && presentDetails(details)),
    },
  };
  return JSON.stringify(event);
}

const presentDetails = (details: ScanRoute & CodeDetails) => ({
  rule_id: details.ruleId === zeroId ? '' : formatId('rul', details.ruleId),
  target_id: details.targetId === zeroId ? '' : formatId('tgt', details.targetId),
  placement: details.placement,
  external_id: details.externalId,
  short_code: details.shortCode,
  metadata: details.metadata,
});

type SuspendedCode = { readonly qrCodeId: Uuid; readonly reason: string };

export function qrCodeSuspended({ qrCodeId, reason }: SuspendedCode, at: Date): string {
  const [qr_id, timestamp] = [formatId('qr', qrCodeId), at.toISOString()];
  const data = { qr_id, reason, suspended_at: timestamp };
  return JSON.stringify({ event: 'qrcode.suspended', timestamp, data } satisfies QrCodeSuspendedEvent);
}

export function qrCodeReleased({ qrCodeId, reason }: SuspendedCode, at: Date): string {
  const [qr_id, timestamp] = [formatId('qr', qrCodeId), at.toISOString()];
  const data = { qr_id, reason, released_at: timestamp };
  return JSON.stringify({ event: 'qrcode.released', timestamp, data } satisfies QrCodeReleasedEvent);
}

type SuspendedAccount = { readonly accountId: Uuid; readonly reason: string };

export function accountSuspended({ accountId, reason }: SuspendedAccount, at: Date): string {
  const [account_id, timestamp] = [formatId('acct', accountId), at.toISOString()];
  const data = { account_id, reason, suspended_at: timestamp };
  return JSON.stringify({ event: 'account.suspended', timestamp, data } satisfies AccountSuspendedEvent);
}

export function accountReleased({ accountId, reason }: SuspendedAccount, at: Date): string {
  const [account_id, timestamp] = [formatId('acct', accountId), at.toISOString()];
  const data = { account_id, reason, released_at: timestamp };
  return JSON.stringify({ event: 'account.released', timestamp, data } satisfies AccountReleasedEvent);
}

/**
 * The id of the message for an event and an endpoint. Deterministic, so that a message that is published again is
 * recognised. It begins with the time of the event, so that ids sort by it.
 */
export function messageId(eventId: Uuid, endpointId: Uuid): Uuid {
  return formatEventId(eventId, createHash('sha256').update(eventId).update(endpointId).digest('hex'));
}

/** The id of an event that has none of its own, derived from its time and what identifies it. */
export function deriveEventId(at: Date, ...parts: readonly string[]): Uuid {
  const time = at.getTime().toString(16).padStart(12, '0');
  const hash = createHash('sha256').update(parts.join('\n')).digest('hex');
  return formatEventId(`${time.slice(0, 8)}-${time.slice(8)}`, hash);
}

function formatEventId(id: string, hash: string): Uuid {
  const variant = ((Number.parseInt(hash[3]!, 16) & 3) | 8).toString(16);
  return `${id.slice(0, 13)}-7${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`;
}
