import type { FastifyRequest } from 'fastify';
import type { Admission, SessionGuard } from '../http/guard.ts';
import { pathOf } from '../http/paths.ts';
import type { Mode } from '../kernel/caller.ts';
import { modes } from '../kernel/caller.ts';
import { addressBlock } from '../kernel/client-address.ts';
import { AppError } from '../kernel/errors.ts';
import type { SlidingWindows, Verdict } from '../kernel/sliding-windows.ts';
import { refuseOtherSites } from './same-site.ts';
import type { Users } from './service.ts';

type Parts = {
  readonly users: Pick<Users, 'find'>;
  /** Calls of people, by user, and of strangers, by address. In memory: generous, and no address leaves the process. */
  readonly windows: SlidingWindows;
  readonly callsPerMinute: number;
  readonly strangersPerMinute: number;
  readonly publicUrl: string;
};

/** Stands before /auth and /account: a session of this very moment, and a request from a page of ours. */
export function createSessionGuard(parts: Parts): SessionGuard {
  const { users, windows, callsPerMinute, strangersPerMinute, publicUrl } = parts;
  return {
    async admit(request, address, isPublic): Promise<Admission> {
      const block = `address ${addressBlock(address)}`;
      const stranger = (refusal?: AppError): Admission => {
        const verdict = windows.take(block, strangersPerMinute);
        if (!verdict.allowed) return { verdict, refusal: tooMany(verdict) };
        return refusal ? { verdict, refusal } : { verdict, caller: null };
      };
      try {
        refuseOtherSites(request.method, request.headers, publicUrl);
        if (isPublic) return stranger();
        const found = await users.find(headersOf(request), modeOf(request));
        if (!found.value) return { ...stranger(signedOut()), cookies: found.cookies };
        const { person, caller } = found.value;
        const verdict = windows.take(`user ${person.userId}`, callsPerMinute);
        return verdict.allowed
          ? { verdict, caller, person, cookies: found.cookies }
          : { verdict, refusal: tooMany(verdict) };
      } catch (error) {
        if (error instanceof AppError) return stranger(error);
        throw error;
      }
    },
  };
}

/** The cookies and what names the device; nothing else is sign-in's business. */
export function headersOf({ headers }: FastifyRequest): Headers {
  const kept = new Headers();
  for (const name of ['cookie', 'user-agent'] as const) {
    const value = headers[name];
    if (value !== undefined) kept.set(name, value);
  }
  return kept;
}

/** Which world: by header, or in the URL for what cannot send one, such as a link or an EventSource. */
function modeOf({ headers, url }: FastifyRequest): Mode {
  const given = headers['x-signpost-mode'] ?? new URLSearchParams(url.slice(pathOf(url).length)).get('mode');
  if (given === null || given === undefined) return 'live';
  const mode = modes.find(one => one === given);
  if (mode) return mode;
  throw new AppError('invalid_request', 'X-Signpost-Mode must be live or test.', {
    param: 'X-Signpost-Mode',
  });
}

const signedOut = () =>
  new AppError('unauthorized', 'You are not signed in, or your session has ended. Sign in again.', {
    challenge: false,
  });

const tooMany = ({ retryAfterSeconds }: Verdict) =>
  new AppError('rate_limit_exceeded', `Too many requests. Wait ${retryAfterSeconds} s and try again.`, {
    retryAfterSeconds,
  });
