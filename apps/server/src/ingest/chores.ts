import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../kernel/clock.ts';
import type { ClickHouse } from '../platform/clickhouse.ts';
import type { Logger } from '../platform/logger.ts';
import type { Database } from '../platform/postgres.ts';
import { eraseDue } from './erasure.ts';
import { healOne } from './healing.ts';
import { tidyIngest } from './housekeeping.ts';

/** What has to be done beside the counting: erasure within a minute, healing and tidying now and then. Any process may. */
export type Chores = { start(): void; stop(): Promise<void> };

export type ChoresParts = {
  readonly db: Database;
  readonly clickhouse: ClickHouse;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly eraseEveryMs?: number;
  readonly healEveryMs?: number;
  readonly tidyEveryMs?: number;
};

export function createChores(parts: ChoresParts): Chores {
  const { db, clickhouse, clock, logger } = parts;
  const { eraseEveryMs = 2_000, healEveryMs = 60_000, tidyEveryMs = 3_600_000 } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<unknown> = Promise.resolve();

  /** One that fails is tried again at its next time. */
  async function every(ms: number, name: string, chore: () => Promise<unknown>): Promise<void> {
    while (!signal.aborted) {
      try {
        await chore();
      } catch (error) {
        if (!signal.aborted) logger.warn({ err: error, chore: name }, 'chore failed');
      }
      await pause(ms, undefined, { signal }).catch(() => undefined);
    }
  }

  async function erase(): Promise<void> {
    const codes = await eraseDue(db, clickhouse, signal);
    if (codes > 0) logger.info({ codes }, 'scans of deleted codes erased');
  }

  return {
    start() {
      running = Promise.all([
        every(eraseEveryMs, 'erase', erase),
        every(healEveryMs, 'heal', () => healOne(clickhouse, signal)),
        every(tidyEveryMs, 'tidy', () => tidyIngest(db, clock, signal)),
      ]);
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
