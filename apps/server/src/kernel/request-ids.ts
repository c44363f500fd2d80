import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';

/** Creates the id of a request, for its response and the log: `req_` and 26 characters, like every id. Never taken from a caller. */
export type RequestIds = () => string;

/** They all have this length, so the length of a response with one is known in advance. */
export const requestIdLength = 30;

const digits = '0123456789abcdefghjkmnpqrstvwxyz';
/** A clock that goes back by more than this was wrong before. */
const wasWrongMs = 60_000;

/**
 * A UUIDv7 formatted as by `formatId`, but without creating the UUID: every response of a short link has one, and this takes a
 * fifth of the time. The millisecond comes first, then a counter of 12 bits, which starts at a random value in the lower half
 * so that it does not reveal the number of other requests; the rest is random and the same for all ids of the process.
 */
export function createRequestIds(clock: Clock): RequestIds {
  let lastMs = 0;
  let counter = 0;
  let time = '';
  let tail = randomTail();
  return () => {
    const nowMs = clock.now().getTime();
    if (nowMs > lastMs || nowMs < lastMs - wasWrongMs) {
      // The same millisecond a second time must not yield the same ids.
      if (nowMs < lastMs) tail = randomTail();
      lastMs = nowMs;
      counter = Math.floor(Math.random() * 0x800);
      time = formatTime(lastMs);
    } else if (++counter > 0xfff) {
      lastMs++;
      counter = 0;
      time = formatTime(lastMs);
    }
    // Four digits of five bits: the version (7), the counter, and the variant (binary 10) with two bits that are left at 0.
    const version = digits[14 | (counter >> 11)]!;
    const middle = digits[(counter >> 6) & 31]! + digits[(counter >> 1) & 31]!;
    const variant = counter & 1 ? 'r' : '8';
    return time + version + middle + variant + tail;
  };
}

/** The prefix, and 48 bits in ten digits. */
function formatTime(ms: number): string {
  let text = '';
  for (let rest = ms, at = 0; at < 10; at++, rest = Math.floor(rest / 32)) text = digits[rest % 32] + text;
  return `req_${text}`;
}

const randomTail = () => Array.from(randomBytes(12), byte => digits[byte & 31]).join('');
