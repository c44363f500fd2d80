import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { ids, someScan } from '@signpost/testing/scans.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { createRoundTrips } from '../../kernel/round-trips.ts';
import { TimeoutError } from '../../kernel/with-timeout.ts';
import { type EncodedBatch, encodeBatch } from './batch.ts';
import { type AppendEvent, createDurableAppend, type DurableAppend } from './durable-append.ts';

type Append = { readonly id: string; readonly timeoutMs: number; ack(): void; timeOut(): void };

let appends: Append[];
let spooled: string[];
let kept: string[];
let discarded: string[];
let events: AppendEvent[];
let journal: (batch: EncodedBatch) => Promise<'kept' | 'lost'>;
let trips: ReturnType<typeof createRoundTrips>;
let durable: DurableAppend;

const batch = () => encodeBatch({ id: ids.next(), scans: [someScan()] });
const outcomes = () => events.map(({ kind }) => kind);

beforeEach(() => {
  [appends, spooled, kept, discarded, events] = [[], [], [], [], []];
  journal = async () => 'kept';
  trips = createRoundTrips({ minMs: 100, maxMs: 1000 });
  durable = createDurableAppend({
    shard: 0,
    log: {
      available: () => true,
      append({ id }, timeoutMs) {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        appends.push({ id, timeoutMs, ack: resolve, timeOut: () => reject(new TimeoutError(timeoutMs)) });
        return promise;
      },
    },
    spool: {
      async append({ id }) {
        spooled.push(id);
        return 'spooled';
      },
      journal: {
        keep(kept_) {
          kept.push(kept_.id);
          return journal(kept_);
        },
        discard: id => void discarded.push(id),
      },
    },
    trips,
    onEvent: event => events.push(event),
  });
});

const makeFar = () => {
  for (let i = 0; i < 20; i++) trips.observe(200);
};

describe('a near log', () => {
  beforeEach(() => trips.observe(2));

  test('is waited for, up to 100 ms, and nothing is written to the disk', async () => {
    const appended = durable.append(batch());
    expect(appends[0]).toMatchObject({ timeoutMs: 100 });
    appends[0]?.ack();
    expect(await appended).toBe('logged');
    expect(kept).toEqual([]);
  });

  test('that becomes slow is measured by a probe, and is far from then on', async () => {
    const appended = durable.append(batch());
    appends[0]?.timeOut();
    expect(await appended).toBe('spooled');
    for (let probes = 1; !outcomes().includes('log_recovered') && probes < 10; probes++) {
      await pause(230);
      await pause(150);
      appends.at(-1)?.ack();
      await turn();
    }
    for (let i = 0; i < 5; i++) trips.observe(150);
    void durable.append(batch());
    expect(kept.length).toBe(1);
  });
});

describe('a log that is far, or not known yet', () => {
  test.each([
    ['far', 400],
    ['not known', 1000],
  ])(
    '%s: the batch is durable with its copy on the disk, and logged with the ack',
    async (which, timeoutMs) => {
      if (which === 'far') makeFar();
      const one = batch();
      expect(await durable.append(one)).toBe('journaled');
      expect(appends[0]!.timeoutMs).toBeGreaterThanOrEqual(timeoutMs);
      expect([outcomes(), discarded]).toEqual([[], []]);
      appends[0]?.ack();
      await durable.settled();
      expect([outcomes(), discarded, spooled]).toEqual([['logged'], [one.id], []]);
    },
  );

  test('an ack before the copy is written is enough, and the copy is discarded', async () => {
    const written = Promise.withResolvers<'kept'>();
    journal = () => written.promise;
    const one = batch();
    const appended = durable.append(one);
    appends[0]?.ack();
    expect(await appended).toBe('logged');
    expect(discarded).toEqual([]);
    written.resolve('kept');
    await durable.settled();
    expect(discarded).toEqual([one.id]);
  });

  test('without an ack the batch moves to the spool, and those after it go there at once', async () => {
    makeFar();
    const one = batch();
    expect(await durable.append(one)).toBe('journaled');
    appends[0]?.timeOut();
    await durable.settled();
    expect([spooled, discarded]).toEqual([[one.id], [one.id]]);
    expect(await durable.append(batch())).toBe('spooled');
    expect(outcomes()).toEqual(['log_unhealthy', 'spooled', 'spooled']);
    expect(appends.length).toBe(1);
  });

  test('if the disk does not take the copy, the ack is waited for', async () => {
    makeFar();
    journal = async () => 'lost';
    const appended = durable.append(batch());
    await turn();
    appends[0]?.ack();
    expect(await appended).toBe('logged');
    await durable.settled();
    expect(discarded).toEqual([]);
  });
});
