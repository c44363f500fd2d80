import { randomUUID } from 'node:crypto';
import { startClickHouse } from '@signpost/testing/engines/clickhouse.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClickHouse } from '../../apps/server/src/platform/clickhouse/clickhouse.ts';
import { checkClickHouse } from './check.ts';
import { startRelay } from './relay.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await startClickHouse();
});
afterAll(() => engine.remove());

/** With a password, which the stand-in ignores. */
const withPassword = (url: string) => url.replace('//', '//owner:open%20sesame@');

async function run(url: string, only?: readonly string[], signal = new AbortController().signal) {
  const printed: string[] = [];
  const options = { url: withPassword(url), scans: 1_000, only };
  const isGood = await checkClickHouse(options, line => void printed.push(line), signal).catch(
    (error: Error) => error.message,
  );
  const text = printed.join('\n');
  return { isGood, text, report: text.slice(text.indexOf('### ')) };
}

/** The databases of a run that are still there. */
async function findDatabases(text: string): Promise<unknown[]> {
  const [name] = /signpost_check_\w+/.exec(text) ?? [];
  const clickhouse = await createClickHouse(engine.url);
  const found = clickhouse.query('select name from system.databases where startsWith(name, {name: String})', {
    name,
  });
  return found.finally(() => clickhouse.close());
}

const token = 'insert_deduplication_token';

function forgetToken({ searchParams }: URL): void {
  if (searchParams.has(token)) searchParams.set(token, randomUUID());
}

test.concurrent('every check passes on the stand-in, and nothing is left of it', async () => {
  const { isGood, text, report } = await run(engine.url);
  expect(isGood, text).toBe(true);
  expect(report).toContain('9 passed, 0 failed, 1 not tried.');
  expect(report).toMatch(/ClickHouse: \d+\.\d+/);
  expect(report.match(/in the middle of the answer/g)).toHaveLength(3);
  expect(text).not.toMatch(/sesame|127\.0\.0\.1/);
  expect(await findDatabases(text)).toEqual([]);
});

test.concurrent('a server that forgets tokens and ends a broken answer like a whole one fails the checks of these', async () => {
  const relay = await startRelay(engine.url);
  relay.tampering = { rewrite: forgetToken, hideBreaks: true };
  const { isGood, report } = await run(relay.via(engine.url), ['tokens', 'exceptions']);
  relay.close();
  expect(isGood).toBe(false);
  expect(report).toMatch(/under one deduplication token .* failed .* 300 rows of 100 scans instead of 100 /);
  expect(report).toMatch(/exception in the middle .* failed /);
  expect(report).toContain('1 passed, 2 failed');
});

test.concurrent('a check that is stopped drops its database', async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(new Error('stopped')), 1_000);
  const { isGood, text } = await run(engine.url, undefined, stop.signal);
  expect(isGood).toBe('stopped');
  expect(text).toMatch(/Dropped signpost_check_\w+/);
  expect(await findDatabases(text)).toEqual([]);
});
