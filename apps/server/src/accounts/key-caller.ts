import { type BlockList, isIP } from 'node:net';
import type { Caller } from '../kernel/caller.ts';

/** The caller behind a key, with what else the key is checked for on every call. */
export type KeyCaller = Caller & {
  readonly expiresAt: Date | null;
  /** Null: from everywhere. */
  readonly networks: BlockList | null;
};

/** Whether the key is taken at this time from this address. */
export function isAdmitted({ expiresAt, networks }: KeyCaller, address: string, now: Date): boolean {
  if (expiresAt && expiresAt <= now) return false;
  if (!networks) return true;
  const version = isIP(address);
  return version !== 0 && networks.check(address, version === 6 ? 'ipv6' : 'ipv4');
}
