import { hash, randomBytes } from 'node:crypto';
import { writeUuid } from '../kernel/ids.ts';
import { userAgentLimit } from './device/agents.ts';

/** How long a visitor counts once: a calendar month or a calendar day, in UTC. */
export const windowKinds = ['month', 'day'] as const;
export type WindowKind = (typeof windowKinds)[number];

/** A window and its bounds: from `startMs` up to, not including, `endMs`. */
export type CalendarWindow = { readonly name: string; readonly startMs: number; readonly endMs: number };

/** `2026-11` for a month, `2026-11-15` for a day. */
export const toWindowName = (atMs: number, kind: WindowKind): string =>
  new Date(atMs).toISOString().slice(0, kind === 'month' ? 7 : 10);

export function windowAt(atMs: number, kind: WindowKind): CalendarWindow {
  const at = new Date(atMs);
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  return kind === 'month'
    ? { name: toWindowName(atMs, kind), startMs: Date.UTC(year, month), endMs: Date.UTC(year, month + 1) }
    : {
        name: toWindowName(atMs, kind),
        startMs: Date.UTC(year, month, day),
        endMs: Date.UTC(year, month, day + 1),
      };
}

/** The window with this name, of either kind. */
export const parseWindow = (name: string): CalendarWindow =>
  windowAt(Date.parse(`${name.padEnd(10, '-01')}T00:00:00Z`), name.length === 7 ? 'month' : 'day');

/**
 * The salt of a window, as the two blocks that HMAC derives from a key, each followed by space for the input to hash.
 * They are held in buffers, so that no heap snapshot shows them.
 */
export type Salt = {
  readonly inner: Buffer;
  readonly outer: Buffer;
  /** `inner` up to each length that was hashed: a view costs as much as a hash. */
  readonly innerViews: Buffer[];
};

export const createSaltBytes = (): Buffer => randomBytes(32);

const blockBytes = 64;
const hashBytes = 32;
export const visitorBytes = 16;
/** Where the account begins in the ids of a link. */
const accountStart = 16;
/** Account id, address and user agent; a character of a user agent takes at most three bytes. */
const inputBytes = 36 + 1 + 64 + 1 + 3 * userAgentLimit;

/** Consumes the bytes: they are zeroed. */
export function toSalt(bytes: Buffer): Salt {
  const inner = Buffer.alloc(blockBytes + inputBytes);
  const outer = Buffer.alloc(blockBytes + hashBytes);
  for (let i = 0; i < blockBytes; i++) {
    inner[i] = 0x36 ^ (bytes[i] ?? 0);
    outer[i] = 0x5c ^ (bytes[i] ?? 0);
  }
  bytes.fill(0);
  return { inner, outer, innerViews: [] };
}

/**
 * 16 bytes, written at a place in a scan: the same for the same account, block of addresses and user agent while the salt is
 * the same. A block is the /64 of an IPv6 address, since households move within it. The account is part of the input so that
 * two accounts cannot find out that they share a visitor.
 *
 * A zero separates the parts: neither an id nor an address contains one, and the user agent comes last. HMAC-SHA256 is
 * computed by its definition (RFC 2104): two plain hashes take half the time of `createHmac`.
 */
export function writeVisitor(
  { inner, outer, innerViews }: Salt,
  idBytes: Uint8Array,
  block: string,
  userAgent: Uint8Array,
  into: Buffer,
  at: number,
): void {
  let end = writeUuid(idBytes, accountStart, inner, blockBytes);
  inner[end++] = 0;
  end += inner.write(block, end, 'latin1');
  inner[end++] = 0;
  inner.set(userAgent, end);
  end += userAgent.length;
  innerViews[end] ??= inner.subarray(0, end);
  outer.write(hash('sha256', innerViews[end]!, 'binary'), blockBytes, 'latin1');
  into.write(hash('sha256', outer, 'binary'), at, visitorBytes, 'latin1');
}

/** As much of a user agent as is hashed. */
export const userAgentBytes = (userAgent: string): Uint8Array =>
  Buffer.from(userAgent.slice(0, userAgentLimit));
