import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { expect, onTestFinished, test } from 'vitest';
import { startClickHouse } from './clickhouse.ts';

const log = { level: ClickHouseLogLevel.OFF };

async function start() {
  const engine = await startClickHouse();
  onTestFinished(() => engine.remove());
  const client = createClient({ url: engine.url, compression: { request: true }, log });
  onTestFinished(() => client.close());
  return { engine, client };
}

test('parameters of a query arrive unchanged, whatever they contain', async () => {
  const { client } = await start();
  const values = [
    'plain',
    "it's",
    'tab\tline\nreturn\r',
    'back\\slash \\t',
    '',
    '\\N ',
    'schön 🎈',
    '{a: String}',
  ];
  for (const value of values) {
    const answer = await client.query({
      query: 'select {one: String} as one, {many: Array(String)} as many, {none: Nullable(String)} as none',
      query_params: { one: value, many: [value, 'x'], none: null },
      format: 'JSONEachRow',
    });
    expect(await answer.json()).toEqual([{ one: value, many: [value, 'x'], none: null }]);
  }
});

test('a query may have the parameters that exclude five thousand deleted codes', async () => {
  const { client } = await start();
  const many = Array.from({ length: 5_000 }, () => randomUUID());
  const answer = await client.query({
    query: 'select length({many: Array(UUID)}) as count',
    query_params: { many },
    format: 'JSONEachRow',
  });
  expect(await answer.json()).toEqual([{ count: 5_000 }]);
});

test('settings apply to their own query only, and an error has its code', async () => {
  const { client } = await start();
  const limited = client.query({
    query: 'select number from numbers(100)',
    clickhouse_settings: { max_result_rows: '10' },
  });
  await expect(limited).rejects.toMatchObject({ code: '396', type: 'TOO_MANY_ROWS_OR_BYTES' });
  const free = await client.query({ query: 'select number from numbers(100)', format: 'JSONEachRow' });
  expect(await free.json()).toHaveLength(100);
  await expect(client.command({ query: 'drop table nowhere' })).rejects.toMatchObject({ code: '60' });
});

test('compressed rows are stored unchanged, and a long response arrives complete', async () => {
  const { client } = await start();
  await client.command({ query: 'create table t (n UInt64, s String) engine = MergeTree order by n' });
  const values = Array.from({ length: 50_000 }, (_, n) => ({ n, s: `${n}; 'x'\n\t\\` }));
  await client.insert({ table: 't', values, format: 'JSONEachRow' });
  const answer = await client.query({
    query: 'select toUInt32(n) as n, s from t order by n',
    format: 'JSONEachRow',
  });
  expect(await answer.json()).toEqual(values);
});

test('an acknowledged insert survives kill -9; an unacknowledged one is stored completely or not at all', async () => {
  const { engine, client } = await start();
  await client.command({
    query: `create table t (block UInt32, n UInt32) engine = MergeTree order by n
      settings fsync_after_insert = 1, fsync_part_directory = 1`,
  });
  const rows = 2_000;
  const acknowledged = new Set<number>();
  let block = 0;
  for (let kills = 0; kills < 5; kills++) {
    const end = setTimeout(() => void engine.kill('SIGKILL'), 150 + 40 * kills);
    for (let alive = true; alive; block++) {
      const values = Array.from({ length: rows }, (_, n) => ({ block, n }));
      alive = await client.insert({ table: 't', values, format: 'JSONEachRow' }).then(
        () => true,
        () => false,
      );
      if (alive) acknowledged.add(block);
    }
    clearTimeout(end);
    await engine.restart();
  }
  const answer = await client.query({
    query: 'select block, toUInt32(count()) as rows from t group by block',
    format: 'JSONEachRow',
  });
  const found = await answer.json<{ block: number; rows: number }>();
  expect(found.filter(one => one.rows !== rows)).toEqual([]);
  const blocks = new Set(found.map(one => one.block));
  expect([...acknowledged].filter(one => !blocks.has(one))).toEqual([]);
  expect(acknowledged.size).toBeGreaterThan(5);
});

test('a deduplication token survives kill -9', async () => {
  const { engine, client } = await start();
  await client.command({
    query: `create table t (n UInt32) engine = MergeTree order by n settings non_replicated_deduplication_window = 100`,
  });
  const insert = (token: string) =>
    client.insert({
      table: 't',
      values: [{ n: 1 }],
      format: 'JSONEachRow',
      clickhouse_settings: { insert_deduplication_token: token },
    });
  await insert('first');
  await engine.kill('SIGKILL');
  await engine.restart();
  await insert('first');
  await insert('second');
  const answer = await client.query({
    query: 'select toUInt32(count()) as rows from t',
    format: 'JSONEachRow',
  });
  expect(await answer.json()).toEqual([{ rows: 2 }]);
});

test('after a clean stop it starts again with its data; after removal both are gone', async () => {
  const { engine, client } = await start();
  await client.command({ query: 'create table t (n UInt8) engine = MergeTree order by n' });
  await client.command({ query: 'insert into t values (7)' });
  await engine.restart();
  const answer = await client.query({ query: 'select n from t', format: 'JSONEachRow' });
  expect(await answer.json()).toEqual([{ n: 7 }]);
  await engine.remove();
  expect(existsSync(engine.dir)).toBe(false);
});
