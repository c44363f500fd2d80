import { fork } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitUntil } from '../../tools/engines/wait.ts';
import { type BareServer, startBareServer } from '../support/bare-server.ts';
import { ask, inParallel } from '../support/client.ts';
import type { Flood } from '../support/flood-process.ts';
import { type Probed, startProber } from '../support/prober.ts';
import { p99 } from '../support/rank.ts';
import type { TestServer } from '../support/server.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
let all: TestServer;
let bare: BareServer;
let key: string;
let hot: string;

beforeAll(async () => {
  world = await createWorld();
  all = await world.server({}, 'all');
  bare = await startBareServer();
  key = (await world.account()).live;
  hot = (await create(1))[0]!;
  await waitUntil('the code is in memory', async () => {
    await ask({ url: `${all.url}/${hot}` });
    return /^signpost_lease_held\{[^}]*\} 1$/m.test(String((await ask({ url: all.metricsUrl })).body));
  });
});
afterAll(async () => {
  bare.close();
  await world.close();
});

/** Good codes that nobody has scanned yet: no process has them in memory. */
async function create(count: number): Promise<string[]> {
  const items = Array.from({ length: count }, () => ({ name: 'x', destination_url: 'https://example.com' }));
  const made = await ask({ method: 'POST', url: `${all.url}/v1/qrcodes/bulk`, key, body: { items } });
  return made.body.data.map((entry: { qr_code: { short_code: string } }) => entry.qr_code.short_code);
}

/** Sends it from a process of its own, so that the times measured here are not those of sending. */
async function flood(connections: number, text: string, times: number, answers = times): Promise<number[]> {
  const child = fork(new URL('../support/flood-process.ts', import.meta.url));
  const counts = once(child, 'message') as Promise<[number[]]>;
  child.send({ url: all.url, connections, payload: { text, times }, answers } satisfies Flood);
  return (await counts)[0];
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

/** A scan from another address of this machine. */
function scanFrom(address: string, code: string): Promise<{ readonly status: number; readonly ms: number }> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const outgoing = request(`${all.url}/${code}`, { localAddress: address, agent: false }, response => {
      response.resume();
      response.on('end', () => resolve({ status: response.statusCode!, ms: performance.now() - start }));
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

async function probe(): Promise<{ stop(): Promise<Probed> }> {
  return startProber(10, `${all.url}/${hot}`, bare.url);
}

async function quiet(): Promise<number> {
  const prober = await probe();
  await sleep(3000);
  return p99((await prober.stop()).times[0]!);
}

/** Does the work while a code in memory is scanned, and holds its times against those of a quiet moment. */
async function holdAgainstQuiet(name: string, work: () => Promise<unknown>): Promise<void> {
  const quietMs = await quiet();
  const logBefore = statSync(all.logFile).size;
  const prober = await probe();
  await sleep(500);
  const start = performance.now();
  await work();
  const tookMs = performance.now() - start;
  const { times, refused } = await prober.stop();
  const [hotMs, bareMs] = [p99(times[0]!), p99(times[1]!)];
  const grown = statSync(all.logFile).size - logBefore;
  console.log(
    `flood ${name} took_ms ${tookMs.toFixed(0)} quiet_p99_ms ${quietMs.toFixed(1)} p99_ms ${hotMs.toFixed(1)} bare_p99_ms ${bareMs.toFixed(1)} log_bytes ${grown}`,
  );
  expect(refused).toEqual([]);
  expect(grown).toBeLessThan(1_000_000);
  expect(hotMs).toBeLessThanOrEqual(3 * Math.max(quietMs, bareMs));
}

test('60 misses, and a good code that is not in memory still redirects for the same address', async () => {
  const [cold] = await create(1);
  for (let i = 0; i < 80; i++) await ask({ url: `${all.url}/miss-${i}` });
  expect((await ask({ url: `${all.url}/miss-again` })).status).toBe(429);
  expect((await ask({ url: `${all.url}/${cold}` })).status).toBe(302);
});

test('40,000 unknown codes sent at once over 4 connections: a code in memory redirects as ever, and so do cold ones of others', async () => {
  const cold = await create(100);
  await holdAgainstQuiet('unknown_codes', async () => {
    const guesses = flood(4, get('/guess-#'), 10_000);
    const others = inParallel(100, 20, async index => {
      await sleep(Math.random() * 200);
      return scanFrom(`127.0.1.${index + 1}`, cold[index]!);
    });
    const answers = await others;
    const good = answers.filter(({ status, ms }) => status === 302 && ms < 1000);
    const bad = answers.filter(answer => !good.includes(answer));
    console.log(
      `flood cold_codes ${answers.length} redirected_within_1s ${good.length} others ${JSON.stringify(bad)}`,
    );
    expect(await guesses).toEqual([10_000, 10_000, 10_000, 10_000]);
    expect(good.length).toBeGreaterThanOrEqual(99);
  });
});

test('10,000 questions for readiness sent at once: a code in memory redirects as ever', async () => {
  await holdAgainstQuiet('readiness', async () =>
    expect(await flood(1, get('/readyz'), 10_000)).toEqual([10_000]),
  );
});

test('8 bodies of 5 MB of brackets: a code in memory redirects as ever', async () => {
  const body = '['.repeat(5_000_000);
  const head = `POST /v1/qrcodes/bulk HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  await holdAgainstQuiet('bodies', async () => {
    // As one would do who wants to do harm: one flood is over too soon to be measured.
    for (let round = 0; round < 4; round++)
      expect(await flood(8, head + body, 1)).toEqual(Array.from({ length: 8 }, () => 1));
  });
});
