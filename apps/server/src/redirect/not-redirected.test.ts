import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../kernel/clock.ts';
import { createIds } from '../kernel/ids.ts';
import { type NotRedirectedBatch, refusedReply, storedReply } from '../scans/not-redirected.ts';
import { createNotRedirectedCounter, sendToIngest } from './not-redirected.ts';

const code = '01980000-0000-7000-8000-000000000001';
const other = '01980000-0000-7000-8000-000000000002';

/** What the requests carried, in their order. */
let requested: NotRedirectedBatch[];
/** Ingest, as far as a redirect can see it: it resolves to the text of a reply, or rejects. */
let ingest: (batch: NotRedirectedBatch) => Promise<string>;
let hasConnection: boolean;

beforeEach(() => {
  requested = [];
  ingest = async () => storedReply;
  hasConnection = true;
});

function startCounter() {
  const request = async (_subject: string, payload: string) => {
    const batch = JSON.parse(payload) as NotRedirectedBatch;
    requested.push(batch);
    const text = await ingest(batch);
    return { string: () => text };
  };
  const counter = createNotRedirectedCounter({
    send: sendToIngest({ connection: () => (hasConnection ? ({ request } as never) : null) }),
    clock: systemClock,
    ids: createIds(systemClock),
    everyMs: 5,
  });
  onTestFinished(() => counter.stop());
  return counter;
}

const noResponders = async (): Promise<string> => {
  throw new Error('no responders');
};

/** Stores as ingest does: a batch id adds once. */
function storing() {
  const seen = new Set<string>();
  const sums = new Map<string, number>();
  return {
    sums,
    async store(batch: NotRedirectedBatch): Promise<string> {
      if (!seen.has(batch.id))
        for (const [id, , reason, requests] of batch.counts)
          sums.set(`${id} ${reason}`, (sums.get(`${id} ${reason}`) ?? 0) + requests);
      seen.add(batch.id);
      return storedReply;
    },
  };
}

test('nothing is lost while ingest is away: the counts of a code add up and arrive in two batches', async () => {
  ingest = noResponders;
  const counter = startCounter();
  counter.add(code, 'paused');
  await vi.waitFor(() => expect(requested.length).toBeGreaterThan(0));
  for (let n = 0; n < 5_000; n++) counter.add(n % 5 === 0 ? other : code, 'paused');
  counter.add(code, 'suspended');
  await vi.waitFor(() => expect(requested.length).toBeGreaterThan(10));
  expect(new Set(requested.map(batch => batch.id)).size).toBe(1);

  const { sums, store } = storing();
  requested = [];
  ingest = store;
  await vi.waitFor(() =>
    expect(Object.fromEntries(sums)).toEqual({
      [`${code} paused`]: 4_001,
      [`${other} paused`]: 1_000,
      [`${code} suspended`]: 1,
    }),
  );
  expect(requested.map(batch => batch.counts.length)).toEqual([1, 3]);
});

test('a batch whose reply is lost is sent again under the same id, and is added once', async () => {
  const { sums, store } = storing();
  let lost = 2;
  ingest = async batch => {
    const reply = await store(batch);
    if (lost-- > 0) throw new Error('timeout');
    return reply;
  };
  const counter = startCounter();
  for (let n = 0; n < 7; n++) counter.add(code, 'draft');
  await vi.waitFor(() => expect(requested).toHaveLength(3));
  await counter.stop();
  expect(new Set(requested.map(batch => batch.id)).size).toBe(1);
  expect(Object.fromEntries(sums)).toEqual({ [`${code} draft`]: 7 });
});

test('a connection that is closed does not end the loop: the counts arrive by the next one', async () => {
  const { sums, store } = storing();
  ingest = () => {
    throw new Error('closed connection');
  };
  const counter = startCounter();
  counter.add(code, 'held');
  await vi.waitFor(() => expect(requested.length).toBeGreaterThan(2));
  hasConnection = false;
  counter.add(code, 'held');
  await sleep(20);
  hasConnection = true;
  ingest = store;
  await vi.waitFor(() => expect(Object.fromEntries(sums)).toEqual({ [`${code} held`]: 2 }));
});

test('a batch that ingest refuses does not block the counts after it', async () => {
  ingest = async () => refusedReply;
  const counter = startCounter();
  counter.add(code, 'paused');
  await vi.waitFor(() => expect(requested).toHaveLength(1));
  const { sums, store } = storing();
  ingest = store;
  counter.add(other, 'paused');
  await vi.waitFor(() => expect(Object.fromEntries(sums)).toEqual({ [`${other} paused`]: 1 }));
});

test('stopping hands over what is left', async () => {
  const { sums, store } = storing();
  ingest = store;
  const counter = startCounter();
  counter.add(code, 'paused');
  await counter.stop();
  expect(Object.fromEntries(sums)).toEqual({ [`${code} paused`]: 1 });
});
