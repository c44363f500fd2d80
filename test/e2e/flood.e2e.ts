import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BareServer, startBareServer } from '@signpost/testing/bare-server.ts';
import { ask, inParallel } from '@signpost/testing/client.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import type { Flood } from '@signpost/testing/flood-process.ts';
import { p99 } from '@signpost/testing/percentile.ts';
import { type Probed, startProber } from '@signpost/testing/prober.ts';
import type { TestServer } from '@signpost/testing/server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { median } from '../../bench/median.ts';

/** Long enough for two hundred scans, so that the p99 is not simply the slowest one. */
const measuredMs = 2000;

let fixture: Fixture;
let all: TestServer;
let bare: BareServer;
let key: string;
let hot: string;
let flooder: ChildProcess;

beforeAll(async () => {
  fixture = await createFixture();
  all = await fixture.server({}, 'all');
  bare = await startBareServer();
  flooder = fork(new URL('../../packages/testing/src/flood-process.ts', import.meta.url));
  await once(flooder, 'message');
  key = (await fixture.account()).live;
  hot = (await create(1))[0]!;
  await waitUntil('the code is in memory', async () => {
    await ask({ url: `${all.url}/${hot}` });
    return /^signpost_lease_held\{[^}]*\} 1$/m.test(String((await ask({ url: all.metricsUrl })).body));
  });
});
afterAll(async () => {
  flooder.disconnect();
  bare.close();
  await fixture.close();
});

/** Codes that have not been scanned yet: no process has them in memory. */
async function create(count: number): Promise<string[]> {
  const items = Array.from({ length: count }, () => ({ name: 'x', destination_url: 'https://example.com' }));
  const made = await ask({ method: 'POST', url: `${all.url}/v1/qrcodes/bulk`, key, body: { items } });
  return made.body.data.map((entry: { qr_code: { short_code: string } }) => entry.qr_code.short_code);
}

/** Sends from a separate process that is already running: the times measured here do not include sending. */
async function flood(connections: number, request: string, times: number, body?: Flood['body']) {
  const counts = once(flooder, 'message') as Promise<[number[]]>;
  flooder.send({ url: all.url, connections, request, times, ...(body ? { body } : {}) } satisfies Flood);
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

/** Response times of a code in memory, and of a bare server beside it, while the work is repeated. */
async function measure(work: () => Promise<unknown>): Promise<Probed> {
  const prober = startProber(10, `${all.url}/${hot}`, bare.url);
  await sleep(700);
  prober.begin();
  for (const end = performance.now() + measuredMs; performance.now() < end; ) await work();
  return prober.stop();
}

type Round = { readonly quietMs: number; readonly hotMs: number; readonly bareMs: number };

async function round(work: () => Promise<unknown>): Promise<Round> {
  const quiet = await measure(() => sleep(100));
  const { times, refused } = await measure(work);
  expect(refused).toEqual([]);
  return { quietMs: p99(quiet.times[0]!), hotMs: p99(times[0]!), bareMs: p99(times[1]!) };
}

/**
 * Does the work while a code in memory is scanned, and compares its times with quiet ones: medians of three rounds; in CI the
 * first is enough if it is good.
 */
async function compareWithQuiet(name: string, work: () => Promise<unknown>, allowedMs = 0): Promise<void> {
  const logBefore = statSync(all.logFile).size;
  const isGood = ({ quietMs, hotMs, bareMs }: Round) =>
    hotMs <= Math.max(allowedMs, 3 * Math.max(quietMs, bareMs));
  const rounds = [await round(work)];
  if (!process.env.CI || !isGood(rounds[0]!)) rounds.push(await round(work), await round(work));
  const medianOf = (time: (round: Round) => number) => median(rounds.map(time));
  const [quietMs, hotMs, bareMs] = [
    medianOf(round => round.quietMs),
    medianOf(round => round.hotMs),
    medianOf(round => round.bareMs),
  ];
  const grown = statSync(all.logFile).size - logBefore;
  console.log(
    `flood ${name} quiet_p99_ms ${quietMs.toFixed(1)} p99_ms ${hotMs.toFixed(1)} bare_p99_ms ${bareMs.toFixed(1)} log_bytes ${grown}`,
  );
  expect(grown).toBeLessThan(1_000_000);
  expect(isGood({ quietMs, hotMs, bareMs })).toBe(true);
}

test('after 60 unknown codes, a code that exists but is not in memory still redirects for the same address', async () => {
  const [cold] = await create(1);
  for (let i = 0; i < 80; i++) await ask({ url: `${all.url}/miss-${i}` });
  expect((await ask({ url: `${all.url}/miss-again` })).status).toBe(429);
  expect((await ask({ url: `${all.url}/${cold}` })).status).toBe(302);
});

test('40,000 unknown codes sent at once over 4 connections: codes in memory redirect as usual, and so do cold ones for other addresses', async () => {
  await compareWithQuiet('unknown_codes', async () => {
    const cold = await create(100);
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

test('10,000 readiness requests sent at once: a code in memory redirects as usual', async () => {
  await compareWithQuiet('readiness', async () =>
    expect(await flood(1, get('/readyz'), 10_000)).toEqual([10_000]),
  );
});

test('8 bodies of 5 MB of brackets: a code in memory redirects as usual', async () => {
  const body = { byte: '[', bytes: 5_000_000 };
  const head = `POST /v1/qrcodes/bulk HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.bytes}\r\n\r\n`;
  // Repeated for two seconds that is 400 MB. The kernel copies them on the same two cores, and garbage collection follows, so
  // half a second is allowed here; parsing them once took nine seconds.
  await compareWithQuiet(
    'bodies',
    async () => expect(await flood(8, head, 1, body)).toEqual(Array.from({ length: 8 }, () => 1)),
    500,
  );
});
