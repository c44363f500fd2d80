import { testScansPerDay } from '@signpost/contract/values.ts';
import type { Caller } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { CreationLimiter } from '../../limits/creation-limiter.ts';

type ReservedScans = {
  /** Gives them back where they were not recorded. */
  release(): Promise<void>;
};

/** Reserves scans of the account's day, over all processes, or throws. */
export async function reserveScans(
  { limiter, clock }: { readonly limiter: CreationLimiter; readonly clock: Clock },
  caller: Caller,
  count: number,
): Promise<ReservedScans> {
  const limit = testScansPerDay[caller.plan.webhooks ? 'withWebhooks' : 'withoutWebhooks'];
  const taken = await limiter.take(caller, count, limit);
  if (taken.allowed) return { release: () => taken.confirm(0) };
  const { possible, retryAfterSeconds } = taken;
  const resetsAt = new Date(clock.now().getTime() + retryAfterSeconds * 1000);
  throw new AppError(
    'quota_exceeded',
    `Your account can send ${limit} test scans in 24 hours, and ${possible} are left. Try again after ${resetsAt.toISOString()}${possible > 0 ? ', or send fewer' : ''}.`,
    { limit, used: limit - possible, resetsAt },
  );
}
