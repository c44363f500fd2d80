import type { Caller } from '../kernel/caller.ts';
import { AppError } from '../kernel/errors.ts';

/** How many codes there may be, by what is counted. null: no limit. */
export type Room = {
  readonly all: number | null;
  readonly byApi: number | null;
  readonly bySessions: number | null;
};

/** How many there are, in the same terms. */
export type Used = { readonly [Counted in keyof Room]: number };

/** The limits that a caller meets. Each is its own: what sessions made never takes a place that is the API's alone. */
export function roomOf({ mode, plan, via }: Pick<Caller, 'mode' | 'plan' | 'via'>): Room {
  if (mode === 'test') return { all: plan.testCodes, byApi: null, bySessions: null };
  const { codeQuota, quotaScope, sessionCodes } = plan;
  return {
    all: quotaScope === 'pool' ? codeQuota : null,
    byApi: quotaScope === 'api' && via.kind === 'key' ? codeQuota : null,
    bySessions: via.kind === 'user' ? sessionCodes : null,
  };
}

export const isLimited = (room: Room): boolean => Object.values(room).some(limit => limit !== null);

/** How many can be made in one call, however empty the account is. */
export const mostEver = (room: Room): number =>
  Math.min(...Object.values(room).map(limit => limit ?? Number.POSITIVE_INFINITY));

/** Why so many more do not fit, or null where they do. */
export function refuseRoom(caller: Caller, used: Used, count: number): AppError | null {
  const room = roomOf(caller);
  for (const counted of ['all', 'byApi', 'bySessions'] as const) {
    const limit = room[counted];
    if (limit !== null && used[counted] + count > limit)
      return refusal(caller, counted, limit, used[counted], count);
  }
  return null;
}

function refusal(
  { mode, plan }: Caller,
  counted: keyof Room,
  limit: number,
  used: number,
  count: number,
): AppError {
  const asked = count === 1 ? '' : ` This call asks for ${count} more.`;
  if (mode === 'test') {
    return new AppError(
      'forbidden',
      `An account has room for ${limit} test codes and ${used} exist.${asked} Delete test codes that you no longer need (DELETE /v1/qrcodes/{id} with a test key, or in the dashboard in test mode), then try again.`,
    );
  }
  const message =
    counted === 'bySessions'
      ? `The ${plan.name} plan has room for ${limit} QR codes made in the dashboard and ${used} are in use.${asked} Delete some of those, create more through the API, or move to a larger plan.`
      : `The ${plan.name} plan has room for ${limit} QR codes and ${used} are in use.${asked} Delete some, or move to a larger plan.`;
  return new AppError('quota_exceeded', message, { limit, used });
}
