import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { addressBlock } from '../kernel/client-address.ts';
import type { Uuid } from '../kernel/ids.ts';
import { userAgentLimit } from './agents.ts';

/** How long a visitor counts once: a calendar month or a calendar day, in UTC. */
export const windowKinds = ['month', 'day'] as const;
export type WindowKind = (typeof windowKinds)[number];

/** A window and its bounds: from `startMs` up to, not including, `endMs`. */
export type Window = { readonly name: string; readonly startMs: number; readonly endMs: number };

/** `2026-11` for a month, `2026-11-15` for a day. */
export const windowOf = (atMs: number, kind: WindowKind): string =>
  new Date(atMs).toISOString().slice(0, kind === 'month' ? 7 : 10);

export function windowAt(atMs: number, kind: WindowKind): Window {
  const at = new Date(atMs);
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  return kind === 'month'
    ? { name: windowOf(atMs, kind), startMs: Date.UTC(year, month), endMs: Date.UTC(year, month + 1) }
    : {
        name: windowOf(atMs, kind),
        startMs: Date.UTC(year, month, day),
        endMs: Date.UTC(year, month, day + 1),
      };
}

/** The window that goes by this name, of whichever kind. */
export const windowNamed = (name: string): Window =>
  windowAt(Date.parse(`${name.padEnd(10, '-01')}T00:00:00Z`), name.length === 7 ? 'month' : 'day');

/**
 * The salt of a window. Node keeps a key outside of the heap, so that no snapshot of it shows the bytes; and it hashes
 * with a key six times as fast as with a buffer.
 */
export type Salt = KeyObject;

export const createSaltBytes = (): Buffer => randomBytes(32);

/** Takes the bytes over: nothing is left of them where they were. */
export function toSalt(bytes: Buffer): Salt {
  const salt = createSecretKey(bytes);
  bytes.fill(0);
  return salt;
}

/**
 * 128 bits in hex: the same for the same account, address and user agent as long as the salt is the same. Households
 * move within their IPv6 /64, so what lies behind it is left out. The account is part of it so that two accounts cannot
 * find out that they share a visitor.
 *
 * The parts are kept apart by a zero: neither an id nor an address has one, and the user agent comes last.
 */
export function visitorOf(salt: Salt, accountId: Uuid, address: string, userAgent: string): string {
  const person = `${accountId}\0${addressBlock(address)}\0${userAgent.slice(0, userAgentLimit)}`;
  return createHmac('sha256', salt).update(person).digest('hex').slice(0, 32);
}
