import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseId } from '../../apps/server/src/kernel/ids.ts';
import { type ClickHouse, createClickHouse } from '../../apps/server/src/platform/clickhouse.ts';
import { startClickHouse } from '../../tools/engines/clickhouse.ts';
import type { Engine } from '../../tools/engines/engine.ts';
import { waitUntil } from '../../tools/engines/wait.ts';
import { ask } from '../support/client.ts';
import { generateScans } from '../support/scan-generator.ts';
import { runCommand, type TestServer } from '../support/server.ts';
import { createWorld, type World } from '../support/world.ts';

const rows = 1_000_000;
const megabyte = 1024 * 1024;

let engine: Engine;
let clickhouse: ClickHouse;
let world: World;
let server: TestServer;
let key: string;
let url: string;

beforeAll(async () => {
  engine = await startClickHouse();
  clickhouse = await createClickHouse(engine.url);
  world = await createWorld({ CLICKHOUSE_URL: engine.url, LOG_LEVEL: 'warn' });
  expect((await runCommand(['migrate'], world.env)).code).toBe(0);
  server = await world.server();
  const account = await world.account();
  key = account.live;
  const body = { name: 'Exported', destination_url: 'https://example.com' };
  const made = await ask({ method: 'POST', url: `${server.url}/v1/qrcodes`, key, body });
  url = `${server.url}/v1/qrcodes/${made.body.id}/analytics/export?start_date=2026-01-01&end_date=2026-12-31`;
  await generateScans(clickhouse, [
    {
      scans: rows,
      account: `toUUID('${account.id}')`,
      code: `toUUID('${parseId('qr', made.body.id)}')`,
      visitors: 300_000,
      fromMs: Date.UTC(2026, 1),
      days: 200,
    },
  ]);
});

afterAll(async () => {
  await world.close();
  await clickhouse.close();
  await engine.remove();
});

const residentBytes = () =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))![1]) * 1024;

const open = (address: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    get(address, { headers: { authorization: `Bearer ${key}` }, agent: false }, resolve).on('error', reject);
  });

/** Reads a whole export; meanwhile other requests are made, and memory is looked at. */
async function readWhole(address: string) {
  const before = residentBytes();
  let [peak, lines, bytes, reading] = [before, 0, 0, true];
  let end = '';
  const times: number[] = [];
  async function others(): Promise<void> {
    while (reading) {
      times.push((await ask({ url: `${server.url}/v1/qrcodes`, key })).ms);
      peak = Math.max(peak, residentBytes());
      await pause(10);
    }
  }
  const asking = others();
  const response = await open(address);
  expect(response.statusCode).toBe(200);
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 0x0a) lines++;
    end = chunk.subarray(-60).toString();
  }
  reading = false;
  await asking;
  expect(response.complete).toBe(true);
  times.sort((a, b) => a - b);
  const p99 = times[Math.floor(times.length * 0.99)]!;
  return { lines, bytes, end, growth: peak - before, p99, headers: response.headers };
}

describe('an export of a million scans', () => {
  // The first requests of a process compile and load what later ones find, and its first export makes room for what is
  // written and thrown away (some 200 MB). From then on memory must not grow with the size of an export.
  beforeAll(async () => {
    for (let n = 0; n < 20; n++) await ask({ url: `${server.url}/v1/qrcodes`, key });
    await readWhole(url);
  });

  test.each(['csv', 'json'])('as %s is whole, costs little memory and holds up nobody', async format => {
    const { lines, bytes, end, growth, p99, headers } = await readWhole(`${url}&format=${format}`);
    console.log(
      `export ${format} rows ${rows} megabytes ${Math.round(bytes / megabyte)} memory_growth_mb ${Math.round(growth / megabyte)} others_p99_ms ${p99.toFixed(1)}`,
    );
    expect(headers['content-disposition']).toMatch(/^attachment; filename="[\w-]+-scans-.*\.(csv|json)"$/);
    if (format === 'csv') expect(lines).toBe(rows + 1);
    else expect(end).toContain(`],"total":${rows}}`);
    expect(growth).toBeLessThan(100 * megabyte);
    expect(p99).toBeLessThan(100);
  });

  test('whose reader goes away is worked on no longer', async () => {
    const running = async () =>
      (
        await clickhouse.query(
          `select query from system.processes where query ilike '%order by at desc%' and query not ilike '%system.processes%'`,
        )
      ).length;
    const response = await open(url);
    await new Promise(resolve => response.once('data', resolve));
    response.pause();
    await waitUntil('the query runs', async () => (await running()) > 0);
    response.destroy();
    await waitUntil('the query has ended', async () => (await running()) === 0, { timeoutMs: 5_000 });
    expect((await ask({ url: `${server.url}/v1/qrcodes`, key })).status).toBe(200);
  });
});
