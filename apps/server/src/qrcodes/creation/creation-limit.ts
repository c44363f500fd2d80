import { type Caller, getCreationLimit } from '../../kernel/caller.ts';
import { AppError } from '../../kernel/errors.ts';
import type { CreationLimiter } from '../../limits/creation-limiter.ts';
import { getCodeLimits, maxPerCall } from './quota.ts';

/** What a call has reserved of its account's creations per minute. */
export type CreationReservation = {
  /** How many codes were created; the handler sets it. */
  created: number;
  /** Gives the rest back. Called when the request is over, outside of any transaction. */
  releaseUnused(): Promise<void>;
};

export const nothingReserved = (): CreationReservation => ({ created: 0, releaseUnused: async () => {} });

type Request = {
  readonly caller: Caller;
  readonly count: number;
  /** The field that holds the items, for errors. */
  readonly param?: string;
  /** Why the quota does not allow this many, or null. */
  readonly quotaRefusal: () => Promise<AppError | null>;
};

/** Reserves this many creations, or throws. */
export async function reserveCreations(
  limiter: CreationLimiter,
  { caller, count, param, quotaRefusal }: Request,
): Promise<CreationReservation> {
  const limit = getCreationLimit(caller.plan);
  if (limit === null || count === 0) return nothingReserved();
  // Of more items than fit into the account, some may prove invalid: the others are created, and count.
  const reserved = Math.min(count, maxPerCall(getCodeLimits(caller)));
  if (reserved > limit) throw tooManyEver(caller, count, limit, param);
  const creation = await limiter.take(caller, reserved, limit);
  // A caller must not be told to wait for codes that the quota would then refuse.
  if (!creation.allowed) throw (await quotaRefusal()) ?? tooManyNow(caller, count, limit, creation, param);
  const reservation = { created: 0, releaseUnused: () => creation.confirm(reservation.created) };
  return reservation;
}

/** Reserves the same for codes that one call edits: many of them cost as much as new ones. */
export async function reserveEdits(
  limiter: CreationLimiter,
  caller: Caller,
  count: number,
): Promise<CreationReservation> {
  const limit = getCreationLimit(caller.plan);
  if (limit === null || count === 0) return nothingReserved();
  if (count > limit)
    throw new AppError(
      'invalid_request',
      `You asked to edit ${count} codes, and the ${caller.plan.name} plan allows ${limit} in a minute. Edit at most ${limit} at a time.`,
    );
  const creation = await limiter.take(caller, count, limit);
  if (!creation.allowed) {
    const { possible, retryAfterSeconds } = creation;
    throw new AppError(
      'rate_limit_exceeded',
      `You asked to edit ${count} codes, and ${possible} can be edited right now: the ${caller.plan.name} plan allows ${limit} in a minute. Wait ${retryAfterSeconds} s and try again.`,
      { retryAfterSeconds },
    );
  }
  const reservation = { created: 0, releaseUnused: () => creation.confirm(reservation.created) };
  return reservation;
}

/** Waiting would not help, so this is not a 429. */
const tooManyEver = ({ plan }: Caller, count: number, limit: number, param?: string) =>
  new AppError(
    'invalid_request',
    `You asked for ${count} codes, and the ${plan.name} plan allows ${limit} in a minute. Send at most ${limit} at a time.`,
    details(param),
  );

function tooManyNow(
  { plan }: Caller,
  count: number,
  limit: number,
  { possible, retryAfterSeconds }: { readonly possible: number; readonly retryAfterSeconds: number },
  param?: string,
): AppError {
  const requested = count === 1 ? 'You asked for 1 code' : `You asked for ${count} codes`;
  return new AppError(
    'rate_limit_exceeded',
    `${requested}, and ${possible} can be created right now: the ${plan.name} plan allows ${limit} in a minute. Wait ${retryAfterSeconds} s and try again.`,
    { ...details(param), retryAfterSeconds },
  );
}

const details = (param: string | undefined) => (param === undefined ? {} : { param });
