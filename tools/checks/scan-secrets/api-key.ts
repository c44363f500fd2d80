import { crc32 } from 'node:zlib';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const shape = /sk_(?:live|test)_[0-9A-Za-z]{38}/g;
const checksumLength = 6;

/** The length of an API key in bytes. */
export const apiKeyLength = 'sk_live_'.length + 38;

export type FoundKey = { readonly offset: number; readonly masked: string };

/**
 * The API keys in a chunk of data. The checksum at the end of a key distinguishes it from a look-alike, so that an example
 * in a text is not reported.
 */
export function apiKeysIn(data: Buffer): readonly FoundKey[] {
  // Most data contains no key, and searching for three bytes is much cheaper than decoding a string.
  if (!data.includes('sk_')) return [];
  return [...data.toString('latin1').matchAll(shape)]
    .filter(([key]) => key.slice(-checksumLength) === checksumOf(key.slice(0, -checksumLength)))
    .map(({ 0: key, index }) => ({ offset: index, masked: `${key.slice(0, 'sk_live_'.length)}…` }));
}

/** CRC32 in base62, the end of a key. */
export function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  while (rest > 0) {
    digits = `${base62[rest % 62]}${digits}`;
    rest = Math.floor(rest / 62);
  }
  return digits.padStart(checksumLength, '0');
}
