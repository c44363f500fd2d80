import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { ids, someScan } from '@signpost/testing/scans.ts';
import { beforeEach, expect, test } from 'vitest';
import { createHeldBatches, type HeldBatches, type HeldEvent } from './held-batches.ts';
import { type EncodedBatch, encodeBatch } from './log/format/batch.ts';

const kilobyte = 1024;

let stored: string[];
let events: HeldEvent[];
let isFull: boolean;
let held: HeldBatches;

beforeEach(() => {
  [stored, events, isFull] = [[], [], true];
});

const batch = (scans = 1) =>
  encodeBatch({ id: ids.next(), scans: Array.from({ length: scans }, () => someScan()) });

function open(
  maxBytes: number,
  store?: (batch: EncodedBatch) => Promise<'stored' | 'failed' | 'unstorable'>,
) {
  // The batches of a test that has ended are still tried.
  const [ownStored, ownEvents] = [stored, events];
  held = createHeldBatches({
    maxBytes,
    store:
      store ??
      (async ({ id }) => {
        if (isFull) return 'failed';
        ownStored.push(id);
        return 'stored';
      }),
    onEvent: event => ownEvents.push(event),
    retryMs: 5,
  });
}

test('batches are stored in their order once there is room, and none is left in memory', async () => {
  open(4_096 * kilobyte);
  const all = Array.from({ length: 5_000 }, (_, n) => batch(1 + (n % 3)));
  for (const one of all) expect(held.hold(one)).toBe(true);
  const scans = all.reduce((sum, _, n) => sum + 1 + (n % 3), 0);
  expect(held.stats().scans).toBe(scans);
  isFull = false;
  await waitUntil('all are stored', () => held.stats().scans === 0);
  expect(stored).toEqual(all.map(({ id }) => id));
  expect(held.stats()).toMatchObject({ scans: 0, bytes: 0 });
  expect(events).toEqual([{ kind: 'held_stored', scans }]);
});

test('a store that takes only some gets the others again, whatever arrives meanwhile, and each once', async () => {
  let calls = 0;
  open(4_096 * kilobyte, async ({ id }) => {
    if (++calls % 3 === 0) return 'failed';
    stored.push(id);
    return 'stored';
  });
  const all = Array.from({ length: 3_000 }, () => batch());
  for (const [n, one] of all.entries()) {
    expect(held.hold(one)).toBe(true);
    if (n % 500 === 0) await waitUntil('some are stored', () => stored.length > n / 2);
  }
  await waitUntil('all are stored', () => held.stats().scans === 0);
  expect(new Set(stored)).toEqual(new Set(all.map(({ id }) => id)));
  expect(stored.length).toBe(all.length);
});

test('the limit holds for the memory that is taken, and a batch that does not fit is refused', async () => {
  open(1_024 * kilobyte);
  let taken = 0;
  while (held.hold(batch())) {
    taken++;
    expect(held.stats().bytes).toBeLessThanOrEqual(1_024 * kilobyte);
    if (taken % 1_000 === 0) await new Promise(resolve => setTimeout(resolve, 10));
  }
  // Nearly all of the memory holds scans.
  expect(taken * batch().bytes.length).toBeGreaterThan(700 * kilobyte);
  expect(held.stats().scans).toBe(taken);
});

test('at the end what can be stored is stored, and the rest is reported as lost', async () => {
  open(1_024 * kilobyte);
  for (let n = 0; n < 3; n++) held.hold(batch(2));
  await held.close();
  expect(events).toEqual([{ kind: 'lost', scans: 6, reason: 'stopped' }]);
  open(1_024 * kilobyte);
  held.hold(batch());
  isFull = false;
  await held.close();
  expect(stored.length).toBe(1);
  expect(events.at(-1)).toEqual({ kind: 'held_stored', scans: 1 });
});

test('a batch that can never be stored is lost, and blocks no other', async () => {
  const large = batch(3);
  open(1_024 * kilobyte, async ({ id }) => {
    if (id === large.id) return 'unstorable';
    stored.push(id);
    return 'stored';
  });
  for (const one of [batch(), large, batch()]) held.hold(one);
  await waitUntil('the others are stored', () => stored.length === 2);
  await waitUntil('nothing is held', () => held.stats().scans === 0);
  expect(events).toContainEqual({ kind: 'lost', scans: 3, reason: 'too_large' });
});
