import type { FastifyRequest } from 'fastify';
import { extractPath } from '../paths.ts';
import type { AuthScheme } from './authentication.ts';

/** A part of the URL space, the schemes that its routes may declare, and the one that unknown paths in it get. */
type Area = {
  readonly name: string;
  readonly pattern: RegExp;
  readonly schemes: readonly [AuthScheme, ...AuthScheme[]];
};

/** The first that matches counts. */
const areas: readonly Area[] = [
  { name: 'under /v1', pattern: /^\/v1(?:\/|$)/, schemes: ['apiKey', 'anonymous'] },
  {
    name: 'under /account/operator',
    pattern: /^\/account\/operator(?:\/|$)/,
    schemes: ['operatorSession'],
  },
  {
    name: 'under /account and /auth',
    pattern: /^\/(?:account|auth)(?:\/|$)/,
    schemes: ['session', 'anonymousSameSite'],
  },
];

const elsewhere: Area = { name: 'outside /v1, /account and /auth', pattern: /^/, schemes: ['open'] };

const findArea = (path: string): Area => areas.find(({ pattern }) => pattern.test(path)) ?? elsewhere;

/** Refuses a route that does not say how callers get in, or says what its path does not allow. */
export function requireAuthScheme(route: string, path: string, scheme: AuthScheme | undefined): void {
  const { name, schemes } = findArea(path);
  const choice = `Routes ${name} declare ${schemes.join(' or ')}.`;
  if (scheme === undefined)
    throw new Error(`The route ${route} declares no authScheme. Add one to its config. ${choice}`);
  if (!schemes.includes(scheme))
    throw new Error(
      `The route ${route} declares the authScheme ${scheme}, which its path does not allow. ${choice}`,
    );
}

/**
 * The scheme that the route declares. A path without a route is closed like its neighbours, so that it tells nobody
 * which paths exist. The router decides which route that is, not the text of the URL: a path with encoded letters, or
 * with a scheme and a host before it, leads to the same route.
 */
export const getAuthScheme = (request: FastifyRequest): AuthScheme =>
  request.routeOptions?.config?.authScheme ?? findArea(extractPath(request.url)).schemes[0];
