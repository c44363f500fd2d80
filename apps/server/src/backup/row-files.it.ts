import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMigratedClickHouse } from '@signpost/testing/clickhouse.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClickHouse, connect } from '../platform/clickhouse/clickhouse.ts';
import { copiedTables } from './backup.ts';
import { listParts, loadRows, writeRows } from './row-files.ts';

let engine: Engine;
let clickhouse: ClickHouse;
let client: Awaited<ReturnType<typeof connect>>;
const dir = mkdtempSync(join(tmpdir(), 'signpost-rows-'));
const [scans] = copiedTables;

beforeAll(async () => {
  ({ engine, clickhouse } = await startMigratedClickHouse());
  client = await connect(engine.url);
  await clickhouse.command('create table copies as scans');
});
afterAll(async () => {
  await Promise.all([clickhouse?.close(), client?.close()]);
  await engine?.remove();
});

/** Cities with every character that could break a line of text. */
const addRows = (count: number, shard: number, at: string) =>
  clickhouse.command(
    `insert into scans (account_id, qr_code_id, at, id, mode, country, region, city, device, browser, visitor,
                        time_window, is_unique, shard, position, place)
     select generateUUIDv4(1), generateUUIDv4(2), toDateTime64('${at}', 3), generateUUIDv4(number), 'live', 'DE', 'Île',
            ['', 'Tab' || char(9), 'Line' || char(10), 'Back' || char(92), char(92) || 'N', 'Zürich "q"'][number % 6 + 1], 'ios', 'safari',
            generateUUIDv4(3), '2026-11', number % 2, ${shard}, number + 1, 0 from numbers(${count})`,
    {},
  );

const sumOf = async (table: string, where = '1') => {
  const [row] = await clickhouse.query<{ rows: number; sum: string }>(
    `select count() as rows,
            toString(groupBitXor(cityHash64(account_id, qr_code_id, at, id, region, city, visitor, is_unique, shard, log_number, position, place))) as sum
       from ${table} where ${where}`,
  );
  return row;
};

test('rows of several megabytes are restored exactly, with their positions; rows that were not counted are excluded', async () => {
  await addRows(30_000, 0, '2026-11-14 12:00:00');
  await addRows(2_000, 1, '2026-11-15 12:00:00');
  const marks = [
    { shard: 0, log: 0, position: 30_000 },
    { shard: 1, log: 0, position: 500 },
  ];
  const parts = await listParts(client, scans!, marks);
  expect(parts).toEqual(['20261114', '20261115']);
  const rows = [];
  for (const part of parts) {
    const name = `scans-${part}.tsv.gz`;
    rows.push(await writeRows(client, { table: scans!, logs: marks, part }, join(dir, name)));
    expect(statSync(join(dir, name)).size).toBeGreaterThan(0);
    await loadRows(client, 'copies', dir, name);
  }
  expect(rows).toEqual([30_000, 500]);
  expect(await sumOf('copies')).toEqual(await sumOf('scans', 'shard = 0 or position <= 500'));
  const cities = 'select city, count() as n from copies where shard = 0 group by city order by city';
  expect(await clickhouse.query(cities)).toHaveLength(6);
});
