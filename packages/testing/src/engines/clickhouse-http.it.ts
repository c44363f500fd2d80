import { afterAll, beforeAll, expect, test } from 'vitest';
import { startClickHouse } from './clickhouse.ts';
import type { Engine } from './engine.ts';

/** What ClickHouse documents of its HTTP interface and our client relies on. */
let engine: Engine;
beforeAll(async () => {
  engine = await startClickHouse();
});
afterAll(() => engine.remove());

const ask = (body: string, settings: Readonly<Record<string, string>> = {}) =>
  fetch(`${engine.url}/?${new URLSearchParams(settings)}`, { method: 'POST', body });

test.each([
  ['select * from nowhere', 404, 60],
  ['select nothing from system.one', 404, 47],
  ['select from from', 400, 62],
  ["select toUInt8('many')", 400, 6],
  ['select throwIf(1)', 500, 395],
])('%s has status %i and code %i', async (query, status, code) => {
  const answer = await ask(query);
  expect(answer.status).toBe(status);
  expect(answer.headers.get('x-clickhouse-exception-code')).toBe(String(code));
  expect(await answer.text()).toMatch(new RegExp(`^Code: ${code}\\. DB::Exception: .+ \\([A-Z_]+\\)`, 's'));
});

test('a query that exceeds max_execution_time has status 408 and code 159', async () => {
  const answer = await ask('select count() from numbers(1000) where sleepEachRow(0.02) = 0', {
    max_execution_time: '1',
    max_block_size: '5',
  });
  expect([answer.status, answer.headers.get('x-clickhouse-exception-code')]).toEqual([408, '159']);
});

const failing = (format: string) =>
  `select number, throwIf(number = 600000) as fault from numbers(1000000) format ${format}`;

test('an exception in the middle of a result is a row of it by default, as before 25.11', async () => {
  const last = async (format: string) => {
    const answer = await ask(failing(format));
    expect(answer.status).toBe(200);
    return JSON.parse((await answer.text()).trimEnd().split('\n').at(-1)!);
  };
  const exception = expect.stringMatching(/^Code: 395\./);
  expect(await last('JSONCompactEachRow')).toEqual([exception]);
  expect(await last('JSONEachRow')).toEqual({ exception });
});

test.each([
  ['JSONCompactEachRow', '0'],
  ['JSONEachRow', '0'],
  ['TabSeparated', '1'],
])(
  'in %s with http_write_exception_in_output_format=%s it follows the rows, and the connection breaks off',
  async (format, setting) => {
    const answer = await ask(failing(format), { http_write_exception_in_output_format: setting });
    const tag = answer.headers.get('x-clickhouse-exception-tag');
    expect([answer.status, tag?.length]).toEqual([200, 16]);
    let text = '';
    const reading = (async () => {
      for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) text += chunk;
    })();
    await expect(reading).rejects.toThrow('terminated');
    const end = text.slice(text.indexOf('\r\n__exception__'));
    expect(end).toMatch(
      new RegExp(`^\r\n__exception__\r\n${tag}\r\nCode: 395.*\n\\d+ ${tag}\r\n__exception__\r\n$`, 's'),
    );
  },
);

test('a query that may only read writes nothing', async () => {
  const refused = await ask('create table t (n UInt8) engine = Memory', { readonly: '2' });
  expect([refused.status, refused.headers.get('x-clickhouse-exception-code')]).toEqual([500, '164']);
  const read = await ask('select 1', { readonly: '2', max_threads: '1' });
  expect(await read.text()).toBe('1\n');
});

test('an answer has the id of its query', async () => {
  const answer = await ask('select 1', { query_id: 'by-us' });
  expect(answer.headers.get('x-clickhouse-query-id')).toBe('by-us');
});
