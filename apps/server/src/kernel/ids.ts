import { randomFillSync } from 'node:crypto';
import type { Clock } from './clock.ts';

/** Creates ids that sort by their creation time. Inside, an id is a UUIDv7; outside, `qr_` + base32. */
export type Ids = {
  next(): Uuid;
  /** Writes the next id as 16 bytes. For scans: as a text it would cost more than the id. */
  write(into: Uint8Array, at: number): void;
};

/** A UUID as PostgreSQL writes it: lower case, with dashes. */
export type Uuid = string;

/** The id of nothing, where a column or a field must have one. */
export const zeroId: Uuid = '00000000-0000-0000-0000-000000000000';

/** Two ids as bytes, 16 each. */
export const toIdBytes = (first: Uuid, second: Uuid): Uint8Array =>
  Uint8Array.from(Buffer.from(`${first}${second}`.replaceAll('-', ''), 'hex'));

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
  'ast',
  'dsn',
  'view',
  'inv',
  'rul',
  'tgt',
  'shr',
  'dom',
] as const;
export type IdPrefix = (typeof idPrefixes)[number];

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const idLength = 26;
/** A clock that goes back by more than this was wrong before: ids would carry the wrong time until the process ends. */
const wasWrongMs = 60_000;
/** Two start the counter, eight are the random end of the id. */
const randomBytesPerId = 10;

/**
 * UUIDv7 with the 12 bits after the millisecond used as a counter, so that ids of one process increase strictly even within a
 * millisecond. The counter starts at a low random value and borrows from the next millisecond when it overflows. Only the
 * correction of a wrong clock breaks the order.
 */
export function createIds(clock: Clock): Ids {
  // One system call provides the random bytes of hundreds of ids.
  const random = Buffer.alloc(randomBytesPerId * 256);
  let used = random.length;
  const own = Buffer.alloc(16);
  let lastMs = 0;
  let counter = 0;

  function write(into: Uint8Array, at: number): void {
    if (used === random.length) {
      randomFillSync(random);
      used = 0;
    }
    const nowMs = clock.now().getTime();
    if (nowMs > lastMs || nowMs < lastMs - wasWrongMs) {
      lastMs = nowMs;
      counter = random.readUInt16BE(used) & 0x7ff;
    } else if (++counter > 0xfff) {
      lastMs++;
      counter = 0;
    }
    const high = Math.floor(lastMs / 0x1_0000);
    into[at] = high >>> 24;
    into[at + 1] = high >>> 16;
    into[at + 2] = high >>> 8;
    into[at + 3] = high;
    into[at + 4] = lastMs >>> 8;
    into[at + 5] = lastMs;
    into[at + 6] = 0x70 | (counter >>> 8);
    into[at + 7] = counter;
    into[at + 8] = 0x80 | (random[used + 2]! & 0x3f);
    for (let i = 3; i < randomBytesPerId; i++) into[at + 6 + i] = random[used + i]!;
    used += randomBytesPerId;
  }

  return {
    write,
    next() {
      write(own, 0);
      return uuidFrom(own.toString('hex'));
    },
  };
}

/** 32 hex digits with the dashes of a UUID. */
export const uuidFrom = (hex: string): Uuid =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;

const digits = Buffer.from('0123456789abcdef');

/** Writes the text of the UUID whose 16 bytes begin at `start`, and returns where it ends. */
export function writeUuid(bytes: Uint8Array, start: number, into: Uint8Array, at: number): number {
  let end = at;
  for (let i = 0; i < 16; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) into[end++] = dash;
    const byte = bytes[start + i]!;
    into[end++] = digits[byte >> 4]!;
    into[end++] = digits[byte & 15]!;
  }
  return end;
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
  return uuidFrom(value.toString(16).padStart(32, '0'));
}

/** When the id was made: it begins with that time. */
export const timeOfUuid = (id: Uuid): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
