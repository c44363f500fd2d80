import { availableParallelism } from 'node:os';
import type { Config } from '../../config/config.ts';
import { ownPools } from '../../platform/postgres/pool-sizes.ts';

const minSlots = 16;

/** Slots of a process: more than one account can hold, so that one account never fills it. */
const slotsPerProcess = (perAccount: number): number => Math.max(minSlots, 2 * perAccount);

/** Threads of a process. One account holds half of them at the most. */
export const threads = { drawing: Math.min(4, Math.max(2, availableParallelism())), logos: 2 } as const;

type Sizes = { readonly perAccount: number; readonly perProcess: number };

/** In PostgreSQL queries share few connections: one account leaves one to others, and all of them leave two to exports. */
const inPostgres = { perAccount: 2, perProcess: ownPools.analytics - 2 } as const;

export const shareSizes = ({
  exportsPerAccount,
  queriesPerAccount,
  clickhouseUrl,
}: Pick<Config, 'exportsPerAccount' | 'queriesPerAccount' | 'clickhouseUrl'>) =>
  ({
    exports: { perAccount: exportsPerAccount, perProcess: slotsPerProcess(exportsPerAccount) },
    queries:
      clickhouseUrl === ''
        ? { ...inPostgres, perAccount: Math.min(queriesPerAccount, inPostgres.perAccount) }
        : { perAccount: queriesPerAccount, perProcess: slotsPerProcess(queriesPerAccount) },
    drawing: { perAccount: Math.floor(threads.drawing / 2), perProcess: threads.drawing },
    deliveries: { perAccount: 2, perProcess: 4 },
    logos: { perAccount: Math.floor(threads.logos / 2), perProcess: threads.logos },
  }) satisfies Record<string, Sizes>;

/** Connections to ClickHouse for all slots, and some for the other queries of a process. */
export function connectionsFor(config: Config): number {
  const { exports, queries } = shareSizes(config);
  return exports.perProcess + queries.perProcess + 8;
}
