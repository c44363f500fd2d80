import { randomInt } from 'node:crypto';
import { AppError } from '../../kernel/errors.ts';

/** The last part of a short link. Codes that differ only in case are the same code. */
export const foldShortCode = (shortCode: string): string => shortCode.toLowerCase();

/** No vowels, so no words; no characters that are easily confused on paper. 28^8 codes: 3.8 · 10^11. */
const alphabet = '23456789bcdfghjkmnpqrstvwxyz';
const length = 8;

export function generateShortCode(): string {
  let code = '';
  for (let i = 0; i < length; i++) code += alphabet[randomInt(alphabet.length)];
  return code;
}

/**
 * First path segments that the service uses, or may use later: short links can be on the same host. A test compares the
 * list with the route table.
 */
export const reservedShortCodes: ReadonlySet<string> = new Set([
  'about',
  'abuse',
  'account',
  'accounts',
  'admin',
  'analytics',
  'api',
  'app',
  'assets',
  'auth',
  'billing',
  'blog',
  'config',
  'contact',
  'dashboard',
  'demo',
  'docs',
  'download',
  'export',
  'favicon',
  'health',
  'healthz',
  'help',
  'home',
  'image',
  'images',
  'index',
  'legal',
  'live',
  'login',
  'logout',
  'metrics',
  'null',
  'oauth',
  'openapi',
  'pricing',
  'privacy',
  'public',
  'qr',
  'qrcodes',
  'ready',
  'readyz',
  'redirect',
  'register',
  'report',
  'robots',
  'root',
  's',
  'sdk',
  'security',
  'settings',
  'sign-in',
  'sign-up',
  'signin',
  'signpost',
  'signup',
  'sitemap',
  'static',
  'status',
  'support',
  'system',
  'terms',
  'test',
  'undefined',
  'v1',
  'v2',
  'v3',
  'webhook',
  'webhooks',
  'well-known',
  'www',
]);

export function refuseReserved(shortCode: string): void {
  if (reservedShortCodes.has(foldShortCode(shortCode))) {
    throw new AppError(
      'reserved_short_code',
      `${shortCode} is reserved: it is a path of the service itself. Choose another ending.`,
      {
        param: 'short_code',
      },
    );
  }
}

/** The operator may reserve short ones: there are few of them. */
export function refuseShort(shortCode: string, minLength: number): void {
  if (shortCode.length < minLength) {
    throw new AppError(
      'invalid_short_code',
      `A custom ending needs at least ${minLength} characters here. Choose a longer one, or leave it out.`,
      { param: 'short_code' },
    );
  }
}
