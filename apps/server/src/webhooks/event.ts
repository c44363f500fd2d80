import { createHash } from 'node:crypto';
import type { ScanCreatedEvent } from '@signpost/contract';
import { formatId, type Uuid } from '../kernel/ids.ts';
import type { Scan } from '../scans/scan.ts';

type Scanned = Pick<Scan, 'id' | 'qrCodeId' | 'atMs' | 'country' | 'city' | 'device'>;

/** The body of the event, byte for byte as it is signed and sent. */
export function scanCreated(scan: Scanned, isUnique: boolean): string {
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
    },
  };
  return JSON.stringify(event);
}

/**
 * The id of the message about a scan for an endpoint: the same whenever it is worked out, so that what is published
 * again is known again. It keeps the time of the scan in front, so that ids sort by it.
 */
export function messageId(scanId: Uuid, endpointId: Uuid): Uuid {
  const hash = createHash('sha256').update(scanId).update(endpointId).digest('hex');
  const variant = ((Number.parseInt(hash[3]!, 16) & 3) | 8).toString(16);
  return `${scanId.slice(0, 13)}-7${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`;
}
