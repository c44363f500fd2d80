import { AppError } from '../../../apps/server/src/kernel/errors.ts';
import { createLocalSlots } from '../../../apps/server/src/limits/shares/local-slots.ts';
import { createShare, type Share } from '../../../apps/server/src/limits/shares/share.ts';

type Sizes = { readonly perAccount: number; readonly perProcess: number; readonly waiting?: number };

/** The turns of accounts in one process. */
export const createTurns = ({ perAccount, perProcess, waiting = 100 }: Sizes): Share =>
  createShare({
    slots: createLocalSlots(perAccount),
    perProcess,
    queueLimits: { total: 1000, perAccount: waiting },
    waitMs: 60_000,
    refusal: exhausted =>
      new AppError(
        exhausted === 'account' ? 'rate_limit_exceeded' : 'unavailable',
        `All of the ${exhausted}`,
        {
          retryAfterSeconds: 1,
        },
      ),
    onRefused: () => undefined,
  });
