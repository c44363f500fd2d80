import { startMigratedClickHouse } from '@signpost/testing/clickhouse.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { ids } from '@signpost/testing/scans.ts';
import { unshared } from '@signpost/testing/unshared-queries.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Caller } from '../../kernel/caller.ts';
import { type ClickHouse, createClickHouse } from '../../platform/clickhouse/clickhouse.ts';
import { createClickHouseScans } from '../../scans/stores/clickhouse/clickhouse-scans.ts';
import { createSparklines } from './sparklines.ts';

let engine: Engine;
let clickhouse: ClickHouse;
beforeAll(async () => {
  ({ engine, clickhouse } = await startMigratedClickHouse());
});
afterAll(async () => {
  await clickhouse.close();
  await engine.remove();
});

const [account, other, busy, quiet] = [ids.next(), ids.next(), ids.next(), ids.next()] as const;
const caller = { accountId: account } as Caller;

const insert = (accountId: string, code: string, at: string) =>
  clickhouse.command(
    `insert into scans (account_id, qr_code_id, at, id, mode, visitor) values ('${accountId}', '${code}', '${at}', generateUUIDv4(), 'live', generateUUIDv4())`,
  );

test('a sparkline has 14 days in UTC with today last, zeros included, of this account only, in one query', async () => {
  await insert(account, busy, '2026-11-15 00:00:00.000');
  await insert(account, busy, '2026-11-15 11:00:00.000');
  await insert(account, busy, '2026-11-02 00:00:00.000');
  await insert(account, busy, '2026-11-01 23:59:59.999');
  await insert(other, busy, '2026-11-15 01:00:00.000');
  let queries = 0;
  const counting: ClickHouse = {
    ...clickhouse,
    query: (...asked) => {
      queries++;
      return clickhouse.query(...asked);
    },
  };
  const lines = createSparklines(createClickHouseScans(counting), unshared, {
    now: () => new Date('2026-11-15T12:00:00Z'),
  });
  expect(Object.fromEntries((await lines.forCodes(caller, [busy, quiet]))!)).toEqual({
    [busy]: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2],
    [quiet]: Array(14).fill(0),
  });
  expect(queries).toBe(1);
});

test('a ClickHouse that does not answer does not break the list', async () => {
  const away = await createClickHouse('http://127.0.0.1:9');
  expect(
    await createSparklines(createClickHouseScans(away), unshared, { now: () => new Date() }).forCodes(
      caller,
      [busy],
    ),
  ).toBeNull();
  await away.close();
});
