import { randomFillSync } from 'node:crypto';
import type { Clock } from './clock.ts';

/** Makes ids that sort by the time of their making. Inside, an id is a UUIDv7; outside, `qr_` + base32. */
export type Ids = { next(): Uuid };

/** A UUID as PostgreSQL writes it: lower case, with dashes. */
export type Uuid = string;

export const idPrefixes = ['qr', 'scan', 'acct', 'key', 'whk', 'msg', 'req'] as const;
export type IdPrefix = (typeof idPrefixes)[number];

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const idLength = 26;

/**
 * UUIDv7 with the 12 bits behind the millisecond used as a counter, so that ids of one process rise strictly
 * even within a millisecond. The counter starts low at random and borrows from the future when it runs over.
 */
export function createIds(clock: Clock): Ids {
  const random = new Uint8Array(10);
  let lastMs = 0;
  let counter = 0;
  return {
    next() {
      randomFillSync(random);
      const nowMs = clock.now().getTime();
      if (nowMs > lastMs) {
        lastMs = nowMs;
        counter = ((random[0]! << 8) | random[1]!) & 0x7ff;
      } else if (++counter > 0xfff) {
        lastMs++;
        counter = 0;
      }
      const time = lastMs.toString(16).padStart(12, '0');
      const head = (0x7000 | counter).toString(16);
      random[2] = (random[2]! & 0x3f) | 0x80;
      const tail = Buffer.from(random.buffer, 2, 8).toString('hex');
      return `${time.slice(0, 8)}-${time.slice(8)}-${head}-${tail.slice(0, 4)}-${tail.slice(4)}`;
    },
  };
}

/** `qr` and a UUID → `qr_` and 26 characters of lower-case Crockford base32. */
export function formatId(prefix: IdPrefix, uuid: Uuid): string {
  let rest = BigInt(`0x${uuid.replaceAll('-', '')}`);
  let text = '';
  for (let i = 0; i < idLength; i++) {
    text = alphabet[Number(rest & 31n)] + text;
    rest >>= 5n;
  }
  return `${prefix}_${text}`;
}

/** The UUID in an id of this kind, or null for anything that `formatId` would not have written. */
export function parseId(prefix: IdPrefix, id: string): Uuid | null {
  if (!id.startsWith(`${prefix}_`) || id.length !== prefix.length + 1 + idLength) return null;
  let value = 0n;
  for (const character of id.slice(prefix.length + 1)) {
    const digit = alphabet.indexOf(character);
    if (digit < 0) return null;
    value = (value << 5n) | BigInt(digit);
  }
  if (value >> 128n !== 0n) return null;
  const hex = value.toString(16).padStart(32, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
