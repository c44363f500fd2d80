import type { Config } from '../config/config.ts';
import type { SlowReaderPolicy } from '../http/streams.ts';
import { AppError } from '../kernel/errors.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { ClickHouse } from '../platform/clickhouse.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Limiters } from './limiters.ts';
import { createQueryShare, type QueryShare } from './query-share.ts';
import { createShare, type Exhausted, type Share } from './share.ts';
import { createShareMetrics, type ShareKind } from './share-metrics.ts';
import { slotsPerProcess } from './share-sizes.ts';

type Parts = {
  readonly config: Config;
  readonly limiters: Pick<Limiters, 'slots'>;
  readonly clickhouse: ClickHouse;
  readonly metrics: Pick<Metrics, 'registry'>;
  readonly lifecycle: Lifecycle;
};

/** What an account may have ClickHouse do at a time. */
export type Shares = {
  readonly exports: Share;
  readonly queries: QueryShare;
  readonly slowReaders: SlowReaderPolicy;
};

/** How long a call waits for a slot before it is refused. */
const waitMs = 5_000;

/** How many calls may wait in a process, in total and of one account. */
const queueLimits = { exports: { total: 8, perAccount: 2 }, queries: { total: 24, perAccount: 8 } };

/** Shares ClickHouse between the accounts, over all processes. */
export function openShares({ config, limiters, clickhouse, metrics, lifecycle }: Parts): Shares {
  const shareMetrics = createShareMetrics(metrics.registry);
  const openShare = (kind: ShareKind, perAccount: number, refusal: (exhausted: Exhausted) => AppError) => {
    const slots = limiters.slots({
      kind,
      perAccount,
      onAlone: () => shareMetrics.withoutRedis.inc({ kind }),
    });
    const share = createShare({
      slots,
      perProcess: slotsPerProcess(kind, perAccount),
      queueLimits: queueLimits[kind],
      waitMs,
      refusal,
      onRefused: () => shareMetrics.refused.inc({ kind }),
    });
    shareMetrics.watch(kind, share);
    lifecycle.defer(kind, () => share.close());
    return share;
  };
  const { exportsPerAccount, queriesPerAccount } = config;
  const queries = openShare('queries', queriesPerAccount, exhausted =>
    tooMany(exhausted, `${queriesPerAccount} analytics queries`, 2),
  );
  return {
    exports: openShare('exports', exportsPerAccount, exhausted =>
      tooMany(exhausted, `${exportsPerAccount} exports`, 10),
    ),
    queries: createQueryShare(clickhouse, queries),
    slowReaders: {
      bytesPerSecond: config.exportMinKibPerSecond * 1024,
      graceMs: config.exportStallSeconds * 1000,
      onAborted: () => shareMetrics.slowReaders.inc(),
    },
  };
}

function tooMany(exhausted: Exhausted, running: string, retryAfterSeconds: number): AppError {
  const message =
    exhausted === 'account'
      ? `Your account already has ${running} running. Wait for one to finish.`
      : `The service is busy with other accounts. Try again in ${retryAfterSeconds} seconds.`;
  return new AppError('rate_limit_exceeded', message, { retryAfterSeconds });
}
