import { randomFillSync } from 'node:crypto';
import type { Clock } from './clock.ts';

/** Creates ids that sort by their creation time. Inside, an id is a UUIDv7; outside, `qr_` + base32. */
export type Ids = { next(): Uuid };

/** A UUID as PostgreSQL writes it: lower case, with dashes. */
export type Uuid = string;

export const idPrefixes = [
  'qr',
  'scan',
  'acct',
  'key',
  'whk',
  'msg',
  'req',
  'user',
  'ses',
  'edit',
  'sus',
  'rep',
] as const;
export type IdPrefix = (typeof idPrefixes)[number];

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const idLength = 26;
/** A clock that goes back by more than this was wrong before: ids would carry the wrong time until the process ends. */
const wasWrongMs = 60_000;

/**
 * UUIDv7 with the 12 bits after the millisecond used as a counter, so that ids of one process increase strictly even within a
 * millisecond. The counter starts at a low random value and borrows from the next millisecond when it overflows. Only the
 * correction of a wrong clock breaks the order.
 */
export function createIds(clock: Clock): Ids {
  const nextRandom = createRandomBytes(10);
  let lastMs = 0;
  let counter = 0;
  // The first two groups change once per millisecond and are formatted once for it.
  let time = '';
  return {
    next() {
      const random = nextRandom();
      const nowMs = clock.now().getTime();
      if (nowMs > lastMs || nowMs < lastMs - wasWrongMs) {
        lastMs = nowMs;
        counter = random.readUInt16BE(0) & 0x7ff;
        time = timeOf(lastMs);
      } else if (++counter > 0xfff) {
        lastMs++;
        counter = 0;
        time = timeOf(lastMs);
      }
      const head = (0x7000 | counter).toString(16);
      random[2] = (random[2]! & 0x3f) | 0x80;
      const tail = random.toString('hex', 2);
      return `${time}-${head}-${tail.slice(0, 4)}-${tail.slice(4)}`;
    },
  };
}

function timeOf(ms: number): string {
  const digits = ms.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}

/** Random bytes from a pool: one system call serves hundreds of ids. */
function createRandomBytes(size: number): () => Buffer {
  const pool = Buffer.alloc(size * 256);
  let used = pool.length;
  return () => {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    used += size;
    return pool.subarray(used - size, used);
  };
}

/** `qr` and a UUID → `qr_` and 26 characters of lower-case Crockford base32. */
export function formatId(prefix: IdPrefix, uuid: Uuid): string {
  // Two leading zero bits make 130 bits: 26 digits of five bits, read from the hex four bits at a time.
  let text = '';
  let bits = 0;
  let held = 2;
  for (let i = 0; i < uuid.length; i++) {
    const code = uuid.charCodeAt(i);
    if (code === dash) continue;
    bits = (bits << 4) | (code <= nine ? code - zero : code - a + 10);
    held += 4;
    if (held < 5) continue;
    held -= 5;
    text += alphabet[(bits >> held) & 31];
    bits &= (1 << held) - 1;
  }
  return `${prefix}_${text}`;
}

const [dash, zero, nine, a] = [0x2d, 0x30, 0x39, 0x61] as const;

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
