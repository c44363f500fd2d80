import { AppError } from '../kernel/errors.ts';
import { createPlaces } from '../limits/places.ts';
import { createQuestions } from '../limits/questions.ts';
import { createShare, type Taken } from '../limits/share.ts';
import { createShareMetrics, type ShareKind } from '../limits/share-metrics.ts';
import type { ClickHouse } from '../platform/clickhouse.ts';
import { inAllOf } from './share-sizes.ts';
import type { Shared } from './shared.ts';

/** How long a call waits for a place before it is refused. */
const waitMs = 5_000;

/** How many may wait in a process, and of one account. */
const rooms = { exports: { inAll: 8, perAccount: 2 }, questions: { inAll: 24, perAccount: 8 } };

type Parts = Pick<Shared, 'config' | 'redis' | 'metrics' | 'lifecycle'> & { readonly clickhouse: ClickHouse };

/** The shares of accounts in what ClickHouse does for them. */
export function buildShares({ config, redis, metrics, lifecycle, clickhouse }: Parts) {
  const told = createShareMetrics(metrics.registry);
  const share = (kind: ShareKind, perAccount: number, refusal: (taken: Taken) => AppError) => {
    const places = createPlaces({
      redis,
      kind,
      perAccount,
      timeoutMs: config.redisTimeoutMs,
      onAway: () => told.withoutRedis.inc({ kind }),
    });
    const made = createShare({
      places,
      inAll: inAllOf(kind, perAccount),
      room: rooms[kind],
      waitMs,
      refusal,
      onRefused: () => told.refused.inc({ kind }),
    });
    told.watch(kind, made);
    lifecycle.defer(kind, () => made.close());
    return made;
  };
  return {
    exports: share('exports', config.exportsPerAccount, taken =>
      tooManyExports(taken, config.exportsPerAccount),
    ),
    questions: createQuestions(
      clickhouse,
      share('questions', config.questionsPerAccount, taken =>
        tooManyQuestions(taken, config.questionsPerAccount),
      ),
    ),
    reading: {
      bytesPerSecond: config.exportLeastKibPerSecond * 1024,
      patienceMs: config.exportPatienceSeconds * 1000,
      onEnded: () => told.slowReaders.inc(),
    },
  };
}

const tooManyExports = (taken: Taken, limit: number) =>
  tooMany(taken, `Your account already has ${limit} exports running. Wait for one to finish.`, 10);

const tooManyQuestions = (taken: Taken, limit: number) =>
  tooMany(taken, `Your account already has ${limit} analytics queries running. Wait for one to finish.`, 2);

function tooMany(taken: Taken, ofAccount: string, retryAfterSeconds: number): AppError {
  const ofAll = `All places are in use. Try again in ${retryAfterSeconds} seconds.`;
  return new AppError('rate_limit_exceeded', taken === 'account' ? ofAccount : ofAll, { retryAfterSeconds });
}
