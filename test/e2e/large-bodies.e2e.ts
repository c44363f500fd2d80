import type { TestAccount } from '@signpost/testing/api.ts';
import { type BareServer, promisedMs, startBareServer } from '@signpost/testing/bare-server.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import type { TestServer } from '@signpost/testing/server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

const largest = 5 * 1024 * 1024;
const atOnce = 8;

let world: Fixture;
let server: TestServer;
let bare: BareServer;
let owner: TestAccount;

beforeAll(async () => {
  world = await createFixture();
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

type Target = { readonly bulkUrl: string; readonly lightUrl: string; longestPauseMs(): Promise<number> };

/** The server under test. */
const signpost = (): Target => ({
  bulkUrl: `${server.url}/v1/qrcodes/bulk`,
  lightUrl: `${server.url}/healthz`,
  async longestPauseMs() {
    const text = await (await fetch(server.metricsUrl)).text();
    return 1000 * Number(/^nodejs_eventloop_lag_max_seconds(?:\{.*\})? (\S+)$/m.exec(text)![1]);
  },
});

/** A server that only reads the same bodies and looks at each byte. */
const baseline = (): Target => ({
  bulkUrl: bare.url,
  lightUrl: bare.url,
  longestPauseMs: async () => Number(await (await fetch(`${bare.url}/pause`)).text()),
});

const send = (url: string, body: string) =>
  timed(url, {
    method: 'POST',
    body,
    headers: {
      authorization: `Bearer ${owner.test}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
  });

/** How long the event loop of a server was blocked by eight of a body at once, and how long anybody waited for it. */
async function waitBeside(target: Target, body: string) {
  await target.longestPauseMs();
  let isDone = false;
  const sent = Promise.all(Array.from({ length: atOnce }, () => send(target.bulkUrl, body))).finally(() => {
    isDone = true;
  });
  let worstMs = 0;
  while (!isDone) worstMs = Math.max(worstMs, (await timed(target.lightUrl)).ms);
  const statuses = (await sent).map(({ status }) => status);
  return { statuses, longestMs: Math.max(worstMs, await target.longestPauseMs()) };
}

/** What this machine does to somebody who only waits differs by the moment; what the server does stays. */
const tries = 3;

test.each(Object.entries(bodies))(
  'eight bodies of %s at once hold nobody up',
  async (_name, [body, status]) => {
    const late: object[] = [];
    while (late.length < tries) {
      const bareMs = (await waitBeside(baseline(), body)).longestMs;
      const { statuses, longestMs } = await waitBeside(signpost(), body);
      expect(new Set(statuses)).toEqual(new Set([status]));
      // The server does about twice the work a byte: it also joins, decodes and parses.
      if (longestMs < promisedMs(200, 2 * bareMs)) return;
      late.push({ longestMs, bareMs });
    }
    expect(late, 'tries in which somebody was held up').toEqual([]);
  },
);
