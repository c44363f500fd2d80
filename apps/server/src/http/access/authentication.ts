import type { AuthScheme as OperationScheme } from '@signpost/contract';
import type { FastifyRequest } from 'fastify';
import type { Caller, Person } from '../../kernel/caller.ts';
import type { AppError } from '../../kernel/errors.ts';
import type { RateDecision } from '../../kernel/rate-decision.ts';

/**
 * How a route lets callers in: by a scheme of the contract, or `open` for pages, probes and images, which need no
 * credentials and are not counted. What is open costs little, or limits its callers itself.
 */
export type AuthScheme = OperationScheme | 'open';

/** Finds out who is calling, and counts the call. Features register themselves here, by the schemes that they know. */
export type Authenticators = {
  apiKey(request: FastifyRequest, address: string): Promise<Authentication>;
  /** Counts by address alone. */
  anonymous(address: string): Authentication;
  session(request: FastifyRequest, address: string): Promise<Authentication>;
  anonymousSameSite(request: FastifyRequest, address: string): Promise<Authentication>;
};

/** The decision is there for refusals too, so that every response carries its headers; null where nothing was counted. */
export type Authentication = {
  readonly decision: RateDecision | null;
  readonly cookies?: readonly string[];
} & (
  | {
      readonly caller: Caller | null;
      readonly person?: Person;
      /** Why a person who is signed in has no caller: belongs to no account, or did not say which. */
      readonly callerRefusal?: AppError;
      /** Whether the caller may still read, for an answer that takes long. */
      readonly isStillAllowed?: () => Promise<boolean>;
      readonly refusal?: undefined;
    }
  | { readonly caller?: undefined; readonly refusal: AppError }
);

/** Which authenticator stands behind a scheme. Whether the person is an operator is looked at afterwards. */
const authenticatorOf = {
  apiKey: 'apiKey',
  anonymous: 'anonymous',
  session: 'session',
  operatorSession: 'session',
  anonymousSameSite: 'anonymousSameSite',
} as const satisfies Record<OperationScheme, keyof Authenticators>;

export async function authenticateBy(
  authenticators: Partial<Authenticators>,
  scheme: OperationScheme,
  request: FastifyRequest,
  address: string,
): Promise<Authentication> {
  if (scheme === 'anonymous') return requireAuthenticator(authenticators, scheme)(address);
  return await requireAuthenticator(authenticators, scheme)(request, address);
}

/** Never lets a call pass because nobody is there to look at it. */
export function requireAuthenticator<Scheme extends OperationScheme>(
  authenticators: Partial<Authenticators>,
  scheme: Scheme,
): Authenticators[(typeof authenticatorOf)[Scheme]] {
  const found = authenticators[authenticatorOf[scheme]];
  if (found) return found as Authenticators[(typeof authenticatorOf)[Scheme]];
  throw new Error(
    `No feature authenticates callers by ${scheme}. Register one with app.addAuthenticators before the server starts.`,
  );
}
