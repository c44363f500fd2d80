import { toIdBytes } from '../../../apps/server/src/kernel/ids.ts';
import type { Link } from '../../../apps/server/src/redirect/links/link.ts';

const [qrCodeId, accountId] = [
  '0190a5d2-7c1e-7abc-8def-0123456789ab',
  '0190a5d2-7c1e-7abc-8def-ba9876543210',
];

/** An active link of a live code. */
export const someLink = (more: Partial<Link> = {}): Link => ({
  qrCodeId,
  accountId,
  idBytes: toIdBytes(more.qrCodeId ?? qrCodeId, more.accountId ?? accountId),
  mode: 'live',
  status: 'active',
  suspended: false,
  location: 'https://example.com/',
  host: 'example.com',
  routing: null,
  ...more,
});
