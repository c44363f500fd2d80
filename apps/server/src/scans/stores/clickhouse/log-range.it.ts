import { startMigratedClickHouse } from '@signpost/testing/clickhouse.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { ids } from '@signpost/testing/scans.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ClickHouse } from '../../../platform/clickhouse/clickhouse.ts';
import { createClickHouseScans } from './clickhouse-scans.ts';

let engine: Engine;
let clickhouse: ClickHouse;

beforeAll(async () => {
  ({ engine, clickhouse } = await startMigratedClickHouse());
});
afterAll(async () => {
  await clickhouse.close();
  await engine.remove();
});

const [parts, rowsOfPart] = [10, 20_000];

test('across two logs, only the end of one and the start of the next are read', async () => {
  const account = ids.next();
  await clickhouse.command('system stop merges scans');
  // The first half of the parts belongs to one log, the second half to the next.
  for (let part = 0; part < parts; part++)
    await clickhouse.command(
      `insert into scans (id, account_id, qr_code_id, mode, at, shard, log_number, position, place)
       select generateUUIDv4(), toUUID('${account}'), generateUUIDv4(), 'live', now64(3), 0,
              ${Math.floor((2 * part) / parts)}, 1 + ${(part % (parts / 2)) * rowsOfPart} + number, 0
         from numbers(${rowsOfPart})`,
    );
  const last = (parts / 2) * rowsOfPart;
  const after = { log: 0, position: last - 10, index: 0 };
  const upTo = { log: 1, position: 10, index: 0 };
  let sent = '';
  const recording: ClickHouse = {
    ...clickhouse,
    query(query, ...rest) {
      sent = query;
      return clickhouse.query(query, ...rest);
    },
  };
  const found = await createClickHouseScans(recording).readLog(
    { accountId: account, mode: 'live' },
    [{ shard: 0, after, upTo }],
    { perShard: 100, limit: 100 },
    {},
  );
  expect(found.map(({ log }) => log)).toEqual([...Array(10).fill(0), ...Array(10).fill(1)]);
  const plan = await clickhouse.query<{ explain: string }>(`explain indexes = 1 ${sent}`, {
    account,
    mode: 'live',
    perShard: 100,
    limit: 100,
  });
  const granules = plan
    .flatMap(({ explain }) => /Granules: (\d+)\/(\d+)/.exec(explain)?.slice(1) ?? [])
    .map(Number);
  expect(granules.at(-2)).toBeLessThan(granules[0]! / 2);
});
