import type { Config } from '../config.ts';
import type { ShareKind } from '../limits/share-metrics.ts';

const least = { exports: 16, questions: 16 };

/** What a process serves at a time: more than one account can hold, so that one never fills it. */
export const inAllOf = (kind: ShareKind, perAccount: number): number => Math.max(least[kind], 2 * perAccount);

/** Connections to ClickHouse for all of them, and some for what else a process asks. */
export const connectionsFor = (config: Config): number =>
  inAllOf('exports', config.exportsPerAccount) + inAllOf('questions', config.questionsPerAccount) + 8;
