import type { Uuid } from '../kernel/ids.ts';

/**
 * Requests for codes that exist and do not redirect. They are not scans, but show an owner what a paused or suspended code
 * costs. Redirects add them up and hand them over to ingest.
 */
export type NotRedirectedReason =
  | 'paused'
  | 'draft'
  | 'suspended'
  | 'held'
  | 'not_begun'
  | 'ended'
  | 'used_up';

export const notRedirectedSubject = 'signpost.not-redirected';

/** The day is one of UTC: 2026-11-16. */
export type NotRedirectedCount = readonly [
  qrCodeId: Uuid,
  day: string,
  reason: NotRedirectedReason,
  requests: number,
];

/** What a redirect hands over. The id stays the same when it is sent again, so that ingest adds it once. */
export type NotRedirectedBatch = { readonly id: Uuid; readonly counts: readonly NotRedirectedCount[] };

/** The reply of ingest, once the batch is stored. */
export const storedReply = 'stored';

/** The reply of ingest to a batch that it cannot read. Sent again, it would stay unreadable and block the ones after it. */
export const refusedReply = 'refused';
