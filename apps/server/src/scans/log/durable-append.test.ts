import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { ids, someScan } from '@signpost/testing/scans.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { createRoundTrips } from '../../kernel/running/round-trips.ts';
import { TimeoutError } from '../../kernel/running/with-timeout.ts';
import type { SpoolOutcome } from '../spool/spool.ts';
import { type AppendEvent, createDurableAppend, type DurableAppend } from './durable-append.ts';
import { type EncodedBatch, encodeBatch } from './format/batch.ts';

type Append = { readonly id: string; readonly timeoutMs: number; ack(): void; timeOut(): void };

let appends: Append[];
let spooled: string[];
let kept: string[];
let discarded: string[];
let events: AppendEvent[];
let held: string[];
let memory: boolean;
let disk: (batch: EncodedBatch) => Promise<SpoolOutcome>;
let journal: (batch: EncodedBatch) => Promise<'kept' | 'lost'>;
let trips: ReturnType<typeof createRoundTrips>;
let durable: DurableAppend;

const batch = () => encodeBatch({ id: ids.next(), scans: [someScan()] });
const outcomes = () => events.map(({ kind }) => kind);

beforeEach(() => {
  [appends, spooled, kept, discarded, held, events] = [[], [], [], [], [], []];
  memory = true;
  disk = async () => 'spooled';
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
      append(batch) {
        spooled.push(batch.id);
        return disk(batch);
      },
      journal: {
        keep(kept_) {
          kept.push(kept_.id);
          return journal(kept_);
        },
        discard: id => void discarded.push(id),
      },
    },
    hold({ id }) {
      if (memory) held.push(id);
      return memory;
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

describe('a batch that neither log nor disk takes', () => {
  beforeEach(() => {
    trips.observe(2);
    disk = async () => 'refused';
  });

  test('is held in memory, and the probe of the log goes on with it', async () => {
    const one = batch();
    const appended = durable.append(one);
    appends[0]?.timeOut();
    expect(await appended).toBe('held');
    expect([held, outcomes()]).toEqual([[one.id], ['log_unhealthy', 'held']]);
    await expect.poll(() => appends.at(-1)).toMatchObject({ id: one.id, timeoutMs: 1_000 });
    appends.at(-1)?.ack();
    await expect.poll(outcomes).toContain('log_recovered');
  });

  test('is lost if there is no room, and then never sent to the log again: what is counted as lost is not counted twice', async () => {
    memory = false;
    const lost = batch();
    const appended = durable.append(lost);
    appends[0]?.timeOut();
    expect(await appended).toBe('lost');
    expect(outcomes()).toEqual(['log_unhealthy', 'lost']);
    memory = true;
    const next = batch();
    const nextAppended = durable.append(next);
    await expect.poll(() => appends.length).toBe(2);
    appends[1]?.timeOut();
    expect(await nextAppended).toBe('held');
    await expect.poll(() => appends.length).toBe(3);
    appends[2]?.ack();
    expect(appends.map(({ id }) => id)).toEqual([lost.id, next.id, next.id]);
  });

  test('does not wait for a log that is silent: the probe does', async () => {
    const appended = durable.append(batch());
    appends[0]?.timeOut();
    await appended;
    for (let n = 0; n < 5; n++) expect(await durable.append(batch())).toBe('held');
    expect(appends.length).toBe(1);
  });

  test.each(['spooled', 'refused'] as const)(
    'is answered while the disk hangs, and counted by what the disk says in the end: %s',
    async answer => {
      memory = false;
      const writing = Promise.withResolvers<SpoolOutcome>();
      disk = () => writing.promise;
      const appended = durable.append(batch());
      appends[0]?.timeOut();
      expect(await appended).toBe('held');
      expect(outcomes()).toEqual(['log_unhealthy']);
      writing.resolve(answer);
      await durable.settled();
      expect(outcomes()).toEqual(['log_unhealthy', answer === 'spooled' ? 'spooled' : 'lost']);
    },
  );

  test('is not lost while its copy for a far log is on the disk', async () => {
    makeFar();
    memory = false;
    expect(await durable.append(batch())).toBe('journaled');
    appends[0]?.timeOut();
    await durable.settled();
    expect([outcomes(), discarded]).toEqual([['log_unhealthy', 'spooled'], []]);
  });
});
