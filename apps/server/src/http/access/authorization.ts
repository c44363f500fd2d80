import { keyPermissions, operatorPermission, type Permission, rolePermissions } from '@signpost/contract';
import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import type { Caller } from '../../kernel/caller.ts';
import { AppError } from '../../kernel/errors.ts';

/** Refuses a route for keys or sessions that does not say which permission it needs. */
export function requirePermission(route: string, { authScheme, permission }: FastifyContextConfig): void {
  const isNeeded = authScheme === 'apiKey' || authScheme === 'session';
  if (isNeeded && permission === undefined)
    throw new Error(`The route ${route} declares no permission. Add one to its operation or its config.`);
}

/**
 * Refuses a caller who lacks the permission of the route. It runs before the request is looked at any further, so that no
 * stored response is replayed to somebody who has lost the permission.
 */
export function refuseUnpermitted({ caller, routeOptions }: FastifyRequest): void {
  const permission = routeOptions?.config?.permission;
  if (!permission || !caller) return;
  if (caller.permissions.has(permission)) return;
  throw new AppError('forbidden', describeRefusal(caller, permission));
}

function describeRefusal({ role }: Caller, permission: Permission): string {
  if (permission === operatorPermission) {
    const lacking = role ? `This needs a key with ${permission}` : `This key lacks ${permission}`;
    return `${lacking}. The operator of the service creates one: signpost admin create-key --operator ACCOUNT.`;
  }
  if (role)
    return `This needs the permission ${permission}, which the role ${role} lacks. Ask ${whomToAsk(permission)} of the account.`;
  if (isKeyPermission(permission))
    return `This key lacks ${permission}. Use a key that has it, or let an owner or admin add it to this one.`;
  return `This needs the permission ${permission}, which API keys lack. Sign in to the dashboard.`;
}

const isKeyPermission = (permission: Permission) =>
  (keyPermissions as readonly Permission[]).includes(permission);

const whomToAsk = (permission: Permission) =>
  rolePermissions.admin.has(permission) ? 'an owner or admin' : 'an owner';

/**
 * Refuses a person without an account, unless the route takes one. Before the permission: without an account there is no role.
 */
export function requireAccount(request: FastifyRequest, refusal: AppError | undefined): void {
  if (request.caller || !refusal || request.is404) return;
  if (request.routeOptions.config.withoutAccount !== true) throw refusal;
}

/** Refuses in live mode what is for tests alone, before the request is looked at any further. */
export function refuseLiveMode({ caller, routeOptions }: FastifyRequest): void {
  if (routeOptions?.config?.testModeOnly !== true || caller?.mode !== 'live') return;
  throw new AppError(
    'forbidden',
    'This works in test mode only. Use a test key, sk_test_…, or switch the dashboard to test mode.',
  );
}

/**
 * A suspended account may read, and do only what the contract allows besides. It is refused before the request is
 * looked at any further, so that no new route can forget to check.
 */
export function refuseSuspended(request: FastifyRequest, publicUrl: string): void {
  const suspension = request.caller?.suspension;
  if (!suspension || request.is404) return;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (isRead || request.routeOptions.config.whileSuspended === true) return;
  throw new AppError(
    'forbidden',
    `This account is suspended: ${asSentence(suspension.reason)} It can read everything and delete codes. If this is a mistake, sign in at ${publicUrl}/app and appeal.`,
  );
}

/** Everybody else is refused whatever the path names, and learns nothing about what exists. */
export function refuseNonOperator(request: FastifyRequest): void {
  if (!request.person?.isOperator)
    throw new AppError('forbidden', 'Only operators of this service may do this.');
}

const asSentence = (text: string) => (/[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`);
