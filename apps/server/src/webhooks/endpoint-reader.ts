import { setTimeout as pause } from 'node:timers/promises';
import type { Uuid } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres.ts';
import { loadEndpoints } from './store.ts';
import type { Target } from './webhook.ts';

/** Reads endpoints as they are now. Who asks in the same moment shares a statement; nothing is remembered. */
export type EndpointReader = {
  /** null: deleted. Waits for as long as PostgreSQL is away; rejects when the signal aborts. */
  read(id: Uuid): Promise<Target | null>;
};

type Waiting = { readonly id: Uuid; resolve(endpoint: Target | null): void; reject(error: unknown): void };

const retryMs = 200;

export function createEndpointReader(
  db: Database,
  signal: AbortSignal,
  onTrouble: (error: unknown) => void,
): EndpointReader {
  let waiting: Waiting[] = [];
  let isPlanned = false;

  async function readAll(): Promise<void> {
    isPlanned = false;
    const asked = waiting;
    waiting = [];
    for (;;) {
      try {
        const found = await loadEndpoints(db, [...new Set(asked.map(({ id }) => id))]);
        for (const { id, resolve } of asked) resolve(found.get(id) ?? null);
        return;
      } catch (error) {
        if (signal.aborted) {
          for (const { reject } of asked) reject(error);
          return;
        }
        onTrouble(error);
        await pause(retryMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  return {
    read(id) {
      const { promise, resolve, reject } = Promise.withResolvers<Target | null>();
      waiting.push({ id, resolve, reject });
      if (!isPlanned) {
        isPlanned = true;
        setImmediate(() => void readAll());
      }
      return promise;
    },
  };
}
