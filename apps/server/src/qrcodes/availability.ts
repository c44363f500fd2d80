import type { Standing } from '../kernel/caller.ts';
import type { QrCode } from './qr-code.ts';

/** Whether a short link works, whatever its owner has set. */
export type Availability = {
  readonly state: 'live' | 'suspended' | 'held' | 'off';
  readonly since: Date | null;
  readonly reason: string | null;
};

/** In order: stopped by the operator, held until an e-mail address is confirmed, switched off by the owner. */
export function availabilityOf(
  { status, suspension }: Pick<QrCode, 'status' | 'suspension'>,
  owner: Pick<Standing, 'suspension' | 'heldSince'>,
): Availability {
  const stopped = owner.suspension ?? suspension;
  if (stopped) return { state: 'suspended', ...stopped };
  if (owner.heldSince) return { state: 'held', since: owner.heldSince, reason: null };
  return { state: status === 'active' ? 'live' : 'off', since: null, reason: null };
}
