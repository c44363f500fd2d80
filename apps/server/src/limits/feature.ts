import type { Config } from '../config/config.ts';
import type { SlowReaderPolicy } from '../http/connections/streams.ts';
import { AppError } from '../kernel/errors.ts';
import type { Lifecycle } from '../kernel/running/lifecycle.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Limiters } from './limiters.ts';
import { createLocalSlots } from './shares/local-slots.ts';
import { createQueryShare, type QueryShare } from './shares/query-share.ts';
import { createShare, type Exhausted, type Share, type ShareOptions } from './shares/share.ts';
import { createShareMetrics, type ShareKind } from './shares/share-metrics.ts';
import { shareSizes } from './shares/share-sizes.ts';

type Parts = {
  readonly config: Config;
  readonly limiters: Pick<Limiters, 'slots'>;
  readonly metrics: Pick<Metrics, 'registry'>;
  readonly lifecycle: Lifecycle;
};

/** What accounts share: the store of scans, over all processes, and the connections and threads of this process. */
export type Shares = {
  readonly exports: Share;
  readonly queries: QueryShare;
  readonly slowReaders: SlowReaderPolicy;
  readonly deliveryLists: Share;
  readonly drawingTurns: Share;
  readonly logoTurns: Share;
};

/** How long a call waits for a slot before it is refused. */
const waitMs = { engines: 5_000, threads: 30_000 } as const;

/** How many calls may wait in a process, in total and of one account. */
const queueLimits = {
  exports: { total: 8, perAccount: 2 },
  queries: { total: 24, perAccount: 8 },
  deliveries: { total: 24, perAccount: 8 },
  drawing: { total: 400, perAccount: 10 },
  logos: { total: 100, perAccount: 10 },
} as const;

export function openShares({ config, limiters, metrics, lifecycle }: Parts): Shares {
  const shareMetrics = createShareMetrics(metrics.registry);
  const sizes = shareSizes(config);
  type Limits = Pick<ShareOptions, 'slots' | 'waitMs' | 'refusal'>;
  const open = (kind: ShareKind, limits: Limits): Share => {
    const share = createShare({
      ...limits,
      perProcess: sizes[kind].perProcess,
      queueLimits: queueLimits[kind],
      onRefused: () => shareMetrics.refused.inc({ kind }),
    });
    shareMetrics.watch(kind, share);
    lifecycle.defer(kind, () => share.close());
    return share;
  };
  const overAllProcesses = (kind: 'exports' | 'queries', what: string, retryAfterSeconds: number) => {
    const { perAccount } = sizes[kind];
    const onAlone = () => shareMetrics.withoutRedis.inc({ kind });
    return open(kind, {
      slots: limiters.slots({ kind, perAccount, onAlone }),
      waitMs: waitMs.engines,
      refusal: exhausted => tooMany(exhausted, `${perAccount} ${what}`, retryAfterSeconds),
    });
  };
  const inThisProcess = (kind: 'deliveries' | 'drawing' | 'logos', what: string, ms: number) =>
    open(kind, {
      slots: createLocalSlots(sizes[kind].perAccount),
      waitMs: ms,
      refusal: exhausted =>
        exhausted === 'account'
          ? // Strangers, who have no account, read this too.
            new AppError(
              'rate_limit_exceeded',
              `You already have ${queueLimits[kind].perAccount} ${what} waiting. Wait for one to finish.`,
              { retryAfterSeconds: 2 },
            )
          : new AppError('unavailable', `Too many ${what} are waiting at the moment. Try again shortly.`, {
              retryAfterSeconds: 2,
            }),
    });
  return {
    exports: overAllProcesses('exports', 'exports', 10),
    queries: createQueryShare(overAllProcesses('queries', 'analytics queries', 2)),
    slowReaders: {
      bytesPerSecond: config.exportMinKibPerSecond * 1024,
      graceMs: config.exportStallSeconds * 1000,
      onAborted: () => shareMetrics.slowReaders.inc(),
    },
    deliveryLists: inThisProcess('deliveries', 'lists of deliveries', waitMs.engines),
    drawingTurns: inThisProcess('drawing', 'images', waitMs.threads),
    logoTurns: inThisProcess('logos', 'pictures', waitMs.threads),
  };
}

function tooMany(exhausted: Exhausted, running: string, retryAfterSeconds: number): AppError {
  const message =
    exhausted === 'account'
      ? `Your account already has ${running} running. Wait for one to finish.`
      : `The service is busy with other accounts. Try again in ${retryAfterSeconds} seconds.`;
  return new AppError('rate_limit_exceeded', message, { retryAfterSeconds });
}
