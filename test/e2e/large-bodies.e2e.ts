import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestAccount } from '../support/api.ts';
import { type BareServer, promisedMs, startBareServer } from '../support/bare-server.ts';
import type { TestServer } from '../support/server.ts';
import { createWorld, type World } from '../support/world.ts';

const largest = 5 * 1024 * 1024;
const atOnce = 8;

let world: World;
let server: TestServer;
let bare: BareServer;
let owner: TestAccount;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.account();
  server = await world.server({ SHORT_BASE_URL: 'https://sign.example' });
  bare = await startBareServer();
});
afterAll(async () => {
  bare.close();
  await world.close();
});

const filled = (head: string, piece: string, tail: string) =>
  head + piece.repeat(Math.floor((largest - head.length - tail.length) / Buffer.byteLength(piece))) + tail;

/** 500 of the largest codes that there may be, or of what looks like one for as long as possible. */
const bulk = (item: object) => JSON.stringify({ items: Array.from({ length: 500 }, () => item) });
const longest = `https://example.com/${'a'.repeat(4076)}`;
const letters = Array.from({ length: 1300 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join('');

const bodies: Readonly<Record<string, readonly [body: string, status: number]>> = {
  'open brackets': [filled('', '[', ''), 400],
  'open objects': [filled('', '{"a":', ''), 400],
  'a mix of lists and objects': [filled('', '[{"a":', ''), 400],
  zeros: [filled('[', '0,', '0]'), 400],
  'empty objects': [filled('[', '{},', '0]'), 400],
  'keys of one object': [filled('{', '"a":0,', '"a":0}'), 400],
  'white space': [filled('{"items":', ' ', '0}'), 400],
  'one string': [filled('{"items":"', 'x', '"}'), 400],
  'one string of escapes': [filled('{"items":"', '\\"', '"}'), 400],
  'one number': [filled('{"items":', '1', '}'), 400],
  'an item of escapes': [filled('{"items":["', '\\"', '"]}'), 200],
  'the largest codes': [bulk({ name: 'n'.repeat(255), destination_url: longest, destination: longest }), 200],
  'names that end badly': [
    bulk({ name: `${'n'.repeat(254)}\0`, destination_url: 'https://example.com' }),
    200,
  ],
  'hosts of a thousand letters': [bulk({ name: 'x', destination_url: `https://${letters}.example/` }), 200],
};

async function timed(url: string, init: RequestInit = {}): Promise<{ ms: number; status: number }> {
  const startMs = performance.now();
  const response = await fetch(url, { redirect: 'manual', ...init });
  await response.arrayBuffer();
  return { ms: performance.now() - startMs, status: response.status };
}

const send = (body: string) =>
  timed(`${server.url}/v1/qrcodes/bulk`, {
    method: 'POST',
    body,
    headers: {
      authorization: `Bearer ${owner.test}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
  });

/** The longest that the server's event loop stood still since this was last asked. */
async function longestPauseMs(): Promise<number> {
  const text = await (await fetch(server.metricsUrl)).text();
  return 1000 * Number(/^nodejs_eventloop_lag_max_seconds(?:\{.*\})? (\S+)$/m.exec(text)![1]);
}

/** How long the server's event loop stood still, how long anybody waited for it, and beside it a bare server. */
async function waitBeside(body: string) {
  await longestPauseMs();
  let isDone = false;
  const sent = Promise.all(Array.from({ length: atOnce }, () => send(body))).finally(() => {
    isDone = true;
  });
  let [worstMs, bareMs] = [0, 0];
  while (!isDone) {
    bareMs = Math.max(bareMs, (await timed(bare.url)).ms);
    worstMs = Math.max(worstMs, (await timed(`${server.url}/healthz`)).ms);
  }
  const statuses = (await sent).map(({ status }) => status);
  return { statuses, pauseMs: await longestPauseMs(), worstMs, bareMs };
}

/** What this machine does to somebody who only waits differs by the moment; what the server does stays. */
const tries = 3;

test.each(Object.entries(bodies))(
  'eight bodies of %s at once hold nobody up',
  async (_name, [body, status]) => {
    const late: object[] = [];
    while (late.length < tries) {
      const { statuses, ...times } = await waitBeside(body);
      expect(new Set(statuses)).toEqual(new Set([status]));
      if (Math.max(times.worstMs, times.pauseMs) < promisedMs(200, times.bareMs)) return;
      late.push(times);
    }
    expect(late, 'tries in which somebody was held up').toEqual([]);
  },
);
