import { availableParallelism } from 'node:os';
import type { Config } from '../config/config.ts';

const minSlots = 16;

/** Slots of a process: more than one account can hold, so that one account never fills it. */
const slotsPerProcess = (perAccount: number): number => Math.max(minSlots, 2 * perAccount);

/** Threads of a process. One account holds half of them at the most. */
export const threads = { drawing: Math.min(4, Math.max(2, availableParallelism())), logos: 2 } as const;

type Sizes = { readonly perAccount: number; readonly perProcess: number };

export const shareSizes = ({ exportsPerAccount, queriesPerAccount }: Config) =>
  ({
    exports: { perAccount: exportsPerAccount, perProcess: slotsPerProcess(exportsPerAccount) },
    queries: { perAccount: queriesPerAccount, perProcess: slotsPerProcess(queriesPerAccount) },
    drawing: { perAccount: Math.floor(threads.drawing / 2), perProcess: threads.drawing },
    logos: { perAccount: Math.floor(threads.logos / 2), perProcess: threads.logos },
  }) satisfies Record<string, Sizes>;

/** Connections to ClickHouse for all slots, and some for the other queries of a process. */
export function connectionsFor(config: Config): number {
  const { exports, queries } = shareSizes(config);
  return exports.perProcess + queries.perProcess + 8;
}
