import { setTimeout as pause } from 'node:timers/promises';
import type { Uuid } from '../../../kernel/ids.ts';
import type { Database } from '../../../platform/postgres/postgres.ts';
import { loadEndpoints } from '../../store.ts';
import type { EndpointWithRate } from '../../webhook.ts';

/** Reads endpoints as they are now. Reads of one turn of the event loop share a statement; nothing is cached. */
export type EndpointReader = {
  /** Null for a deleted one. Waits for as long as PostgreSQL is away; rejects when the signal aborts. */
  read(id: Uuid): Promise<EndpointWithRate | null>;
};

type Waiting = {
  readonly id: Uuid;
  resolve(endpoint: EndpointWithRate | null): void;
  reject(error: unknown): void;
};

const retryMs = 200;

export function createEndpointReader(
  db: Database,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): EndpointReader {
  let waiting: Waiting[] = [];

  async function readAll(): Promise<void> {
    const batch = waiting;
    waiting = [];
    for (;;) {
      try {
        const found = await loadEndpoints(db, [...new Set(batch.map(({ id }) => id))]);
        for (const { id, resolve } of batch) resolve(found.get(id) ?? null);
        return;
      } catch (error) {
        if (signal.aborted) {
          for (const { reject } of batch) reject(error);
          return;
        }
        onError(error);
        await pause(retryMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  return {
    read(id) {
      const { promise, resolve, reject } = Promise.withResolvers<EndpointWithRate | null>();
      if (waiting.length === 0) setImmediate(() => void readAll());
      waiting.push({ id, resolve, reject });
      return promise;
    },
  };
}
