import type { Caller } from '../../kernel/caller.ts';
import { AppError } from '../../kernel/errors.ts';

/** How many codes there may be, by how they are counted. Null: no limit. */
export type CodeLimits = {
  readonly all: number | null;
  readonly byApi: number | null;
  readonly bySessions: number | null;
};

/** How many there are, counted in the same ways. */
export type CodeUsage = { readonly [Counted in keyof CodeLimits]: number };

/** The limits for a caller. They are independent: codes made in the dashboard never use up the API's quota. */
export function getCodeLimits({ mode, plan, via }: Pick<Caller, 'mode' | 'plan' | 'via'>): CodeLimits {
  if (mode === 'test') return { all: plan.testCodes, byApi: null, bySessions: null };
  const { codeQuota, quotaScope, sessionCodes } = plan;
  return {
    all: quotaScope === 'pool' ? codeQuota : null,
    byApi: quotaScope === 'api' && via.kind === 'key' ? codeQuota : null,
    bySessions: via.kind === 'user' ? sessionCodes : null,
  };
}

export const isLimited = (limits: CodeLimits): boolean => Object.values(limits).some(limit => limit !== null);

/** How many can be created in one call, even in an empty account. */
export const maxPerCall = (limits: CodeLimits): number =>
  Math.min(...Object.values(limits).map(limit => limit ?? Number.POSITIVE_INFINITY));

/** The limit that holds first for a caller, and what is used of it. Without any, all codes are counted. */
export function limitAndUse(caller: Caller, used: CodeUsage): { limit: number | null; used: number } {
  const limits = getCodeLimits(caller);
  const counted = (['all', 'byApi', 'bySessions'] as const).find(name => limits[name] !== null) ?? 'all';
  return { limit: limits[counted], used: used[counted] };
}

/** Why this many more do not fit, or null where they do. */
export function quotaRefusal(caller: Caller, used: CodeUsage, count: number): AppError | null {
  const limits = getCodeLimits(caller);
  for (const counted of ['all', 'byApi', 'bySessions'] as const) {
    const limit = limits[counted];
    if (limit !== null && used[counted] + count > limit)
      return refusal(caller, counted, limit, used[counted], count);
  }
  return null;
}

function refusal(
  { mode, plan }: Caller,
  counted: keyof CodeLimits,
  limit: number,
  used: number,
  count: number,
): AppError {
  const requested = count === 1 ? '' : ` This call asks for ${count} more.`;
  if (mode === 'test') {
    return new AppError(
      'forbidden',
      `An account has room for ${limit} test codes and ${used} exist.${requested} Delete test codes that you no longer need (DELETE /v1/qrcodes/{id} with a test key, or in the dashboard in test mode), then try again.`,
    );
  }
  const message =
    counted === 'bySessions'
      ? `The ${plan.name} plan has room for ${limit} QR codes created in the dashboard and ${used} are in use.${requested} Delete some of those, create more through the API, or ask the operator of this server for more.`
      : `The ${plan.name} plan has room for ${limit} QR codes and ${used} are in use.${requested} Delete some, or ask the operator of this server for more.`;
  return new AppError('quota_exceeded', message, { limit, used });
}
