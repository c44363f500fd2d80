import type { Standing } from '../kernel/caller.ts';
import type { QrCode } from './qr-code.ts';

/** Whether a short link works, whatever its owner has set. */
export type Availability = {
  readonly state: 'live' | 'suspended' | 'held' | 'off' | 'scheduled' | 'ended' | 'used_up';
  readonly since: Date | null;
  readonly reason: string | null;
};

/**
 * In order: stopped by the operator, held until an e-mail address is confirmed, switched off by the owner, not begun, ended,
 * used up.
 */
export function getAvailability(
  { status, suspension, routing, usedUpAt }: Pick<QrCode, 'status' | 'suspension' | 'routing' | 'usedUpAt'>,
  owner: Pick<Standing, 'suspension' | 'heldSince'>,
  now: Date,
): Availability {
  const stopped = owner.suspension ?? suspension;
  if (stopped) return { state: 'suspended', ...stopped };
  if (owner.heldSince) return { state: 'held', since: owner.heldSince, reason: null };
  const { startsAt, expiresAt } = routing;
  if (status !== 'active') return { state: 'off', since: null, reason: null };
  if (startsAt !== null && now < startsAt) return { state: 'scheduled', since: null, reason: null };
  if (expiresAt !== null && now >= expiresAt) return { state: 'ended', since: expiresAt, reason: null };
  if (usedUpAt !== null) return { state: 'used_up', since: usedUpAt, reason: null };
  return { state: 'live', since: null, reason: null };
}
