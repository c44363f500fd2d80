import type { Config } from '../config/config.ts';
import type { ShareKind } from './share-metrics.ts';

const minSlots = { exports: 16, queries: 16 };

/** Slots of a process: more than one account can hold, so that one account never fills it. */
export const slotsPerProcess = (kind: ShareKind, perAccount: number): number =>
  Math.max(minSlots[kind], 2 * perAccount);

/** Connections to ClickHouse for all slots, and some for the other queries of a process. */
export const connectionsFor = (config: Config): number =>
  slotsPerProcess('exports', config.exportsPerAccount) +
  slotsPerProcess('queries', config.queriesPerAccount) +
  8;
