import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Mode, modes } from '../kernel/caller.ts';

/**
 * An API key: `sk_live_` or `sk_test_`, 32 random base62 characters, and a checksum of 6 characters over all of these.
 * Letters and digits only, so that secret scanners recognise it.
 */
export type ApiKey = { readonly text: string; readonly mode: Mode };

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const form = /^sk_(live|test)_[0-9A-Za-z]{38}$/;

export function createApiKey(mode: Mode): ApiKey {
  const random = Array.from({ length: 32 }, () => alphabet[randomInt(alphabet.length)]).join('');
  const body = `sk_${mode}_${random}`;
  return { text: body + checksum(body), mode };
}

/** The key in an Authorization header, or null. A wrong checksum is noticed here, without asking any store. */
export function parseBearer(authorization: string | undefined): ApiKey | null {
  const [, text = ''] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? [];
  const [, name] = form.exec(text) ?? [];
  const mode = modes.find(known => known === name);
  if (!mode || checksum(text.slice(0, -6)) !== text.slice(-6)) return null;
  return { text, mode };
}

/** What is stored of a key, in hex. With 190 random bits a plain hash is as good as a slow one. */
export function hashApiKey(key: ApiKey): string {
  return hash('sha256', key.text, 'hex');
}

/** The last characters, which help people to tell their keys apart. */
export function toHint(key: ApiKey): string {
  return key.text.slice(-4);
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let i = 0; i < 6; i++) {
    text = alphabet[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
