import { Resolver } from 'node:dns/promises';
import { createTestApi, type TestApi } from '@signpost/testing/api.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { onOneConnection } from '@signpost/testing/one-connection.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, sql } from '../apps/server/src/platform/postgres/postgres.ts';

let api: TestApi;
let db: Database;

beforeAll(async () => {
  api = await createTestApi();
  db = api.api.db;
  await waitUntil('Redis answers', () =>
    api.redis.ping().then(
      () => true,
      () => false,
    ),
  );
});
afterAll(() => api.close());

const ping = sql('ping-of-one', 'select 1 as pong');

describe('every call of a test', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['another query', () => db.query(ping)],
    ['another transaction', () => db.transaction(tx => tx.query(ping))],
  ])('fails where it holds a connection and asks the pool for %s', async (_what, ask) => {
    await expect(onOneConnection(() => db.transaction(ask))).rejects.toThrow(/second connection/);
    await expect(onOneConnection(() => Promise.all([db.query(ping), ask()]))).rejects.toThrow(/second/);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['Redis', () => api.redis.ping()],
    ['a name server', () => new Resolver().resolve4('sign.example')],
  ])('fails where it asks %s inside a transaction', async (what, ask) => {
    await expect(onOneConnection(() => db.transaction(ask))).rejects.toThrow(`must not call ${what}`);
  });

  test('may call one after the other, and anything once its transaction has ended', async () => {
    const answers = await onOneConnection(async () => {
      await db.query(ping);
      const inside = await db.transaction(async tx => {
        await tx.transaction(inner => inner.query(ping));
        // The connection is released by then: redirects are notified here, and may be slow to answer.
        await tx.afterCommit(async () => {
          await api.redis.ping();
          await db.query(ping);
        });
        return await tx.query(ping);
      });
      await db.transaction(async () => Promise.reject(new Error('rolled back'))).catch(() => undefined);
      return [...inside, ...(await db.query(ping))];
    });
    expect(answers).toEqual([{ pong: 1 }, { pong: 1 }]);
  });
});
