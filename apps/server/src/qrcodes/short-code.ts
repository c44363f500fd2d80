import { randomInt } from 'node:crypto';
import { AppError } from '../kernel/errors.ts';

/** The last part of a short link. Codes that differ only in case are the same code. */
export const foldShortCode = (shortCode: string): string => shortCode.toLowerCase();

/** No vowels, so no words; nothing that looks like something else on paper. 28^8 codes: 3.8 · 10^11. */
const alphabet = '23456789bcdfghjkmnpqrstvwxyz';
const length = 8;

export function generateShortCode(): string {
  let code = '';
  for (let i = 0; i < length; i++) code += alphabet[randomInt(alphabet.length)];
  return code;
}

/**
 * First path segments that the service answers itself, or may come to: short links can live on the same host.
 * A test holds the list against the route table.
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
      `${shortCode} is a path of the service itself. Choose another.`,
      {
        param: 'short_code',
      },
    );
  }
}

/** The operator may keep short ones back: there are few of them. */
export function refuseShort(shortCode: string, least: number): void {
  if (shortCode.length < least) {
    throw new AppError(
      'invalid_short_code',
      `A short code that you choose must have at least ${least} characters here. Choose a longer one, or leave it out.`,
      { param: 'short_code' },
    );
  }
}
