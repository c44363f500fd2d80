import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';

/** Names a request, for its answer and for the log: `req_` and 26 characters, like every id. None is taken from a caller. */
export type RequestIds = () => string;

/** All of them have this length, so the length of an answer that carries one is known beforehand. */
export const requestIdLength = 30;

const digits = '0123456789abcdefghjkmnpqrstvwxyz';
/** A clock that goes back by more than this was wrong before. */
const wasWrongMs = 60_000;

/**
 * A UUIDv7 written as `formatId` would write it, but without making the UUID: every answer of a short link carries one, and
 * this takes a fifth of the time. The millisecond comes first, then a counter of 12 bits, which begins anywhere in the lower
 * half so that nobody can tell from it how many others ask; the rest is random and the same for all ids of the process.
 */
export function createRequestIds(clock: Clock): RequestIds {
  let lastMs = 0;
  let counter = 0;
  let time = '';
  let tail = randomTail();
  return () => {
    const nowMs = clock.now().getTime();
    if (nowMs > lastMs || nowMs < lastMs - wasWrongMs) {
      // A moment that comes a second time must not bring the same ids again.
      if (nowMs < lastMs) tail = randomTail();
      lastMs = nowMs;
      counter = Math.floor(Math.random() * 0x800);
      time = timeOf(lastMs);
    } else if (++counter > 0xfff) {
      lastMs++;
      counter = 0;
      time = timeOf(lastMs);
    }
    // Four digits of five bits: the version (7), the counter, and the variant (binary 10) with two bits that are left at 0.
    const version = digits[14 | (counter >> 11)]!;
    const middle = digits[(counter >> 6) & 31]! + digits[(counter >> 1) & 31]!;
    const variant = counter & 1 ? 'r' : '8';
    return time + version + middle + variant + tail;
  };
}

/** The prefix, and 48 bits in ten digits. */
function timeOf(ms: number): string {
  let text = '';
  for (let rest = ms, at = 0; at < 10; at++, rest = Math.floor(rest / 32)) text = digits[rest % 32] + text;
  return `req_${text}`;
}

const randomTail = () => Array.from(randomBytes(12), byte => digits[byte & 31]).join('');
