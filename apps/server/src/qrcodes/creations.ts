import { type Caller, creationLimitOf } from '../kernel/caller.ts';
import { AppError } from '../kernel/errors.ts';
import type { CreationLimiter } from '../limits/creation-limiter.ts';
import { mostEver, roomOf } from './room.ts';

/** The places that a call has taken in the minute of its account. */
export type Places = {
  /** How many codes came of it; the handler says so. */
  made: number;
  /** Gives back the others. To be called when the call is over, outside of any transaction. */
  settle(): Promise<void>;
};

const none = (): Places => ({ made: 0, settle: async () => {} });

type Wanted = {
  readonly caller: Caller;
  readonly count: number;
  /** The field that asks for many. */
  readonly param?: string;
  /** Why the account has no room for so many, or null. */
  readonly lacksRoom: () => Promise<AppError | null>;
};

/** Takes places for so many codes, or refuses. */
export async function takePlaces(
  limiter: CreationLimiter,
  { caller, count, param, lacksRoom }: Wanted,
): Promise<Places> {
  const limit = creationLimitOf(caller.plan);
  if (limit === null || count === 0) return none();
  // Of more than fit into the account, some may turn out to be bad: the others are made, and count.
  const most = Math.min(count, mostEver(roomOf(caller)));
  if (most > limit) throw tooManyEver(caller, count, limit, param);
  const creation = await limiter.take(caller, most, limit);
  // Nobody is told to wait for what then still has no room.
  if (!creation.allowed) throw (await lacksRoom()) ?? tooManyNow(caller, count, limit, creation, param);
  const places = { made: 0, settle: () => creation.settle(places.made) };
  return places;
}

/** Waiting would not help, so this is no 429. */
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
  const asked = count === 1 ? 'You asked for 1 code' : `You asked for ${count} codes`;
  return new AppError(
    'rate_limit_exceeded',
    `${asked}, and ${possible} can be made at this moment: the ${plan.name} plan allows ${limit} in a minute. Wait ${retryAfterSeconds} s and try again.`,
    { ...details(param), retryAfterSeconds },
  );
}

const details = (param: string | undefined) => (param === undefined ? {} : { param });
