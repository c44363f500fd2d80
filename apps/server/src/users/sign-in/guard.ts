import type { FastifyRequest } from 'fastify';
import type { Authentication } from '../../http/access/authentication.ts';
import { extractPath } from '../../http/paths.ts';
import { addressBlock } from '../../kernel/addresses/client-address.ts';
import type { Mode } from '../../kernel/caller.ts';
import { modes } from '../../kernel/caller.ts';
import { AppError } from '../../kernel/errors.ts';
import type { RateDecision } from '../../kernel/rate-decision.ts';
import type { SlidingWindows } from '../../limits/sliding-windows.ts';
import type { Users } from '../service.ts';
import { refuseOtherSites } from './same-site.ts';

type Parts = {
  readonly users: Pick<Users, 'find'>;
  /** Calls by user, and anonymous calls by address. In memory: the limits are generous, and no address leaves the process. */
  readonly windows: SlidingWindows;
  readonly callsPerMinute: number;
  readonly anonymousPerMinute: number;
  readonly publicUrl: string;
};

/** Guards /auth and /account: requires a current session, and a request from our own pages. */
export function createSessionGuard(parts: Parts) {
  const { users, windows, callsPerMinute, anonymousPerMinute, publicUrl } = parts;
  return {
    async authenticate(
      request: FastifyRequest,
      address: string,
      isAnonymous: boolean,
    ): Promise<Authentication> {
      const block = `address ${addressBlock(address)}`;
      const anonymous = (refusal?: AppError): Authentication => {
        const decision = windows.take(block, anonymousPerMinute);
        if (!decision.allowed) return { decision, refusal: tooMany(decision) };
        return refusal ? { decision, refusal } : { decision, caller: null };
      };
      try {
        refuseOtherSites(request.method, request.headers, publicUrl);
        if (isAnonymous) return anonymous();
        const found = await users.find(pickHeaders(request), readMode(request));
        if (!found.value) return { ...anonymous(signedOut()), cookies: found.cookies };
        const { person, caller } = found.value;
        const decision = windows.take(`user ${person.userId}`, callsPerMinute);
        return decision.allowed
          ? { decision, caller, person, cookies: found.cookies }
          : { decision, refusal: tooMany(decision) };
      } catch (error) {
        if (error instanceof AppError) return anonymous(error);
        throw error;
      }
    },
  };
}

/** Only the cookies and the user agent: sign-in needs nothing else. */
export function pickHeaders({ headers }: FastifyRequest): Headers {
  const kept = new Headers();
  for (const name of ['cookie', 'user-agent'] as const) {
    const value = headers[name];
    if (value !== undefined) kept.set(name, value);
  }
  return kept;
}

/** From the header, or from the URL where none can be sent, such as by a link or an EventSource. */
function readMode({ headers, url }: FastifyRequest): Mode {
  const given =
    headers['x-signpost-mode'] ?? new URLSearchParams(url.slice(extractPath(url).length)).get('mode');
  if (given === null || given === undefined) return 'live';
  const mode = modes.find(known => known === given);
  if (mode) return mode;
  throw new AppError('invalid_request', 'X-Signpost-Mode must be live or test.', {
    param: 'X-Signpost-Mode',
  });
}

const signedOut = () =>
  new AppError('unauthorized', 'You are not signed in, or your session has ended. Sign in again.', {
    challenge: false,
  });

const tooMany = ({ retryAfterSeconds }: RateDecision) =>
  new AppError('rate_limit_exceeded', `Too many requests. Wait ${retryAfterSeconds} s and try again.`, {
    retryAfterSeconds,
  });
