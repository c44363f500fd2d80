import type { FastifyRequest } from 'fastify';
import type { Authentication } from '../../http/access/authentication.ts';
import { extractPath } from '../../http/paths.ts';
import { addressBlock } from '../../kernel/addresses/client-address.ts';
import type { Mode } from '../../kernel/caller.ts';
import { modes } from '../../kernel/caller.ts';
import { AppError } from '../../kernel/errors.ts';
import { parseId, type Uuid, uuidFrom } from '../../kernel/ids.ts';
import type { RateDecision } from '../../kernel/rate-decision.ts';
import type { SlidingWindows } from '../../limits/sliding-windows.ts';
import type { Users } from '../service.ts';
import { refuseOtherSites } from './same-site.ts';

type Parts = {
  readonly users: Pick<Users, 'find' | 'isStillOpen'>;
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
        const asked = { mode: readMode(request), accountId: readAccount(request) };
        const found = await users.find(pickHeaders(request), asked);
        if (!found.value) return { ...anonymous(signedOut()), cookies: found.cookies };
        const { person, caller, hasAccount } = found.value;
        const decision = windows.take(`user ${person.userId}`, callsPerMinute);
        if (!decision.allowed) return { decision, refusal: tooMany(decision) };
        const common = { decision, person, cookies: found.cookies };
        if (!caller) return { ...common, caller, callerRefusal: refuseWithoutAccount(hasAccount, asked) };
        const watched = { ...person, accountId: caller.accountId };
        return { ...common, caller, isStillAllowed: () => users.isStillOpen(watched) };
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
const readGiven = ({ headers, url }: FastifyRequest, name: 'mode' | 'account') =>
  headers[`x-signpost-${name}`] ?? new URLSearchParams(url.slice(extractPath(url).length)).get(name);

/** The account that the request names; null if it names none. One that cannot exist is as unknown as one of other people. */
function readAccount(request: FastifyRequest): Uuid | null {
  const given = readGiven(request, 'account');
  if (given === null || given === undefined) return null;
  return parseId('acct', String(given)) ?? unknownAccount;
}

const unknownAccount = uuidFrom('0'.repeat(32));

function refuseWithoutAccount(hasAccount: boolean, { accountId }: { accountId: Uuid | null }): AppError {
  if (!hasAccount)
    return new AppError(
      'no_account',
      'You do not belong to an account any more, or not yet. Open the link of an invitation, or ask for one.',
    );
  return accountId === null
    ? new AppError(
        'invalid_request',
        'You belong to several accounts. Name one of them with the header X-Signpost-Account; GET /account/me lists them.',
        { param: 'X-Signpost-Account' },
      )
    : new AppError('not_found', 'You belong to no account with this id.', { param: 'X-Signpost-Account' });
}

function readMode(request: FastifyRequest): Mode {
  const given = readGiven(request, 'mode');
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
