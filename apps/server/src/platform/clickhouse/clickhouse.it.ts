import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startClickHouse } from '@signpost/testing/engines/clickhouse.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { expect, onTestFinished, test } from 'vitest';
import { AppError } from '../../kernel/errors.ts';
import { splitStatements } from '../postgres/migration-files.ts';
import { createClickHouse } from './clickhouse.ts';
import { clickHouseError } from './clickhouse-errors.ts';
import { migrateClickHouse, pendingClickHouseMigrations } from './clickhouse-migrations.ts';

async function onServer() {
  const engine = await startClickHouse();
  const clickhouse = await createClickHouse(engine.url);
  onTestFinished(async () => {
    await clickhouse.close();
    await engine.remove();
  });
  return { engine, clickhouse };
}

const table = { table: 'kept', columns: ['n', 's'] } as const;

async function all<Row>(pieces: AsyncIterable<Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const piece of pieces) rows.push(...piece);
  return rows;
}

test('a server is migrated once, stores a block once per token, and reports its errors', async () => {
  const { clickhouse } = await onServer();
  const names = await pendingClickHouseMigrations(clickhouse);
  expect(names[0]).toBe('0001-scans.sql');
  expect(await migrateClickHouse(clickhouse)).toEqual(names);
  expect(await migrateClickHouse(clickhouse)).toEqual([]);
  expect(await pendingClickHouseMigrations(clickhouse)).toEqual([]);

  await clickhouse.command(`create table kept (n UInt64, s String) engine = MergeTree order by n
    settings non_replicated_deduplication_window = 10`);
  const text = "tab\t, 'quote', back\\slash; \n";
  await clickhouse.insert(table, [[1, text]], 'first');
  await clickhouse.insert(table, [[1, text]], 'first');
  await clickhouse.insert(table, [[2, 'x']], 'second');
  expect(await clickhouse.query('select n, s from kept where s = {s: String}', { s: text })).toEqual([
    { n: 1, s: text },
  ]);
  expect(await clickhouse.query('select count() as rows from kept')).toEqual([{ rows: 2 }]);
  const streamed = clickhouse.stream('select n, s from kept where n < {n: UInt64} order by n', { n: 3 });
  expect(await all(streamed)).toEqual([
    [1, text],
    [2, 'x'],
  ]);
  const long = clickhouse.stream<[number, string]>(
    `select number, repeat('é', number % 100000) from numbers(2000)`,
  );
  const lengths = (await all(long)).map(([n, s]) => [n, s.length]);
  expect(lengths).toEqual(Array.from({ length: 2000 }, (_, n) => [n, n]));

  const refused = await clickhouse.query('select nothing from kept').catch(error => error);
  expect(clickHouseError(refused)).toMatchObject({ code: 47 });
  const unparsable = await clickhouse.insert(table, [['many', 'x']], 'third').catch(error => error);
  expect(clickHouseError(unparsable)?.code).toBeGreaterThan(0);
});

test('an exception in the middle of a result is an error, not a row', async () => {
  const { clickhouse } = await onServer();
  const query = 'select number, throwIf(number = 600000) as fault from numbers(1000000)';
  const asked = await clickhouse.query(query).catch(error => error);
  expect(clickHouseError(asked)).toMatchObject({ code: 395 });
  await expect(all(clickhouse.stream(query))).rejects.toMatchObject({ code: 'unavailable' });
});

test('a query writes nothing', async () => {
  const { clickhouse } = await onServer();
  const refused = await clickhouse.query('create table t (n UInt8) engine = Memory').catch(error => error);
  expect(clickHouseError(refused)).toMatchObject({ code: 164 });
});

test('a server that is down is distinguished from an error that it reports', async () => {
  const { engine, clickhouse } = await onServer();
  await engine.stop();
  const error = await clickhouse.query('select 1').catch(one => one);
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({ code: 'unavailable' });
  expect(clickHouseError(error)).toBeNull();
});

test('a query ends with its time limit or its signal', async () => {
  const { engine, clickhouse } = await onServer();
  await engine.kill('SIGSTOP');
  onTestFinished(() => engine.kill('SIGCONT'));
  await expect(clickhouse.query('select 1', {}, { timeoutMs: 100 })).rejects.toMatchObject({
    code: 'timeout',
  });
  const stop = new AbortController();
  const asked = clickhouse.query('select 1', {}, { signal: stop.signal });
  stop.abort(new Error('the process ends'));
  await expect(asked).rejects.toThrow('the process ends');
});

test('a migration is split at semicolons that end a line', () => {
  expect(splitStatements("create a;\n-- a note\nselect ';', 2;\n\n-- the end\n")).toEqual([
    'create a',
    "-- a note\nselect ';', 2",
  ]);
});

test('a caller that gives up in the middle of a result is released at once, and its connection closes', async () => {
  let [open, begun] = [0, 0];
  const engine = createServer((message, response) => {
    message.resume();
    open++;
    response.once('close', () => open--);
    response.write('[1]\n', () => begun++);
  });
  engine.listen(0, '127.0.0.1');
  await once(engine, 'listening');
  onTestFinished(() => void engine.close());
  const clickhouse = await createClickHouse(`http://127.0.0.1:${(engine.address() as AddressInfo).port}`);
  const caller = new AbortController();
  const { signal } = caller;
  let settled = 0;
  const asked = clickhouse.query('select 1', {}, { signal, onSettled: () => settled++ });
  const late = clickhouse.query('select 1', {}, { timeoutMs: 500, onSettled: () => settled++ });
  const streamed = all(clickhouse.stream('select 1', {}, { signal }));
  const outcomes = Promise.allSettled([asked, streamed, late]);
  await waitUntil('all have begun', async () => begun === 3);
  caller.abort(new Error('hung up'));
  expect((await outcomes).map(outcome => (outcome as PromiseRejectedResult).reason.message)).toEqual([
    'hung up',
    'hung up',
    expect.stringContaining('took too long'),
  ]);
  await waitUntil('no connection is left', async () => open === 0);
  expect(settled).toBe(2);
});
