import type { FastifyRequest } from 'fastify';
import type { Authentication } from '../../http/access/authentication.ts';
import type { App } from '../../http/app.ts';
import { AppError } from '../../kernel/errors.ts';

/** Where the dashboard is off, its paths say so, to every caller and whatever they ask. */
export function addDisabledRoutes(app: App): void {
  const refuse = async (request: FastifyRequest): Promise<Authentication> =>
    // A path that has no route is not found, as everywhere.
    request.routeOptions?.config?.authScheme === undefined
      ? { decision: null, caller: null }
      : { decision: null, refusal: dashboardOff() };
  app.addAuthenticators({ session: refuse, anonymousSameSite: refuse });
  for (const url of ['/auth/*', '/account/*'])
    app.all(url, { config: { authScheme: 'session', permission: 'profile:manage' } }, async () => {
      throw dashboardOff();
    });
}

const dashboardOff = () =>
  new AppError('unavailable', 'The dashboard is off: its operator has not set AUTH_SECRET.');
