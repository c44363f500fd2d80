import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { ids, someScan, withPromises } from '@signpost/testing/scans.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { devices } from '../scan.ts';
import type { SpoolOutcome } from '../spool/spool.ts';
import type { AppendEvent } from './durable-append.ts';
import { decodeBatch, type EncodedBatch } from './format/batch.ts';
import { scanLayout } from './format/scan-bytes.ts';
import { createGroupCommit, type GroupCommitOptions } from './group-commit.ts';
import type { LogAppender } from './scan-log.ts';
import { ScanLogError } from './scan-log-error.ts';
import type { ShardChooser } from './sharding.ts';

type Append = {
  readonly shard: number;
  readonly batch: EncodedBatch;
  readonly timeoutMs: number;
  ack(): void;
  refuse(): void;
};

let appends: Append[];
let spooled: EncodedBatch[];
let events: AppendEvent[];
let connected: boolean;
let disk: SpoolOutcome;
let parts: Pick<GroupCommitOptions, 'appenders' | 'spool' | 'hold' | 'onEvent'>;
let appendersOf: (shards: number) => LogAppender[];

beforeEach(() => {
  connected = true;
  disk = 'spooled';
  // The probe of an unhealthy log keeps running after its test: each test has its own lists.
  const [ownAppends, ownSpooled, ownEvents]: [Append[], EncodedBatch[], AppendEvent[]] = [[], [], []];
  appends = ownAppends;
  spooled = ownSpooled;
  events = ownEvents;
  appendersOf = shards =>
    Array.from({ length: shards }, (_, shard) => ({
      available: () => connected,
      append(batch, timeoutMs) {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        const refuse = () => reject(new ScanLogError('away', 'no ack'));
        ownAppends.push({ shard, batch, timeoutMs, ack: resolve, refuse });
        return promise;
      },
    }));
  parts = {
    appenders: appendersOf(1),
    spool: {
      async append(batch) {
        ownSpooled.push(batch);
        return disk;
      },
      // The log is not known to be near yet; without a journal its ack is waited for all the same.
      journal: { keep: async () => 'lost', discard: () => undefined },
    },
    hold: () => false,
    onEvent: event => ownEvents.push(event),
  };
});

const writer = (more: Partial<GroupCommitOptions> = {}) =>
  withPromises(createGroupCommit({ ...parts, ids, maxDelayMs: 60_000, ...more }));

const sizeOf = ({ bytes }: EncodedBatch) => {
  const decoded = decodeBatch(bytes);
  return decoded.ok ? decoded.batch.scans.length : -1;
};
const sizes = () => appends.map(({ batch }) => sizeOf(batch));

/** A scan whose device tells its shard. */
const scanOf = (shard: number) => someScan({ device: devices[shard]! });
const shardByDevice: ShardChooser = bytes => (bytes[scanLayout.enums]! >> 4) & 7;

describe('group commit', () => {
  test('a lone scan is appended in the same turn of the event loop', async () => {
    const outcomes = writer().write(someScan());
    await turn();
    expect(sizes()).toEqual([1]);
    appends[0]?.ack();
    expect(await outcomes).toBe('logged');
  });

  test('scans that arrive while the maximum of appends is in flight share the next append, up to the batch limit', async () => {
    const { write } = writer({ maxInFlight: 2, maxBatch: 10 });
    const outcomes: Promise<string>[] = [];
    for (let i = 0; i < 2; i++) {
      outcomes.push(write(someScan()));
      await turn();
    }
    for (let i = 0; i < 25; i++) outcomes.push(write(someScan()));
    await turn();
    expect(sizes()).toEqual([1, 1]);
    appends[0]?.ack();
    appends[1]?.ack();
    await turn();
    expect(sizes()).toEqual([1, 1, 10, 10]);
    appends[2]?.ack();
    await turn();
    appends[3]?.ack();
    appends[4]?.ack();
    expect(sizes()).toEqual([1, 1, 10, 10, 5]);
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['logged']));
  });

  test('no scan waits longer than the maximum delay, however slow the acks', async () => {
    const { write } = writer({ maxInFlight: 1, maxDelayMs: 5 });
    void write(someScan());
    await turn();
    void write(someScan());
    await turn();
    expect(sizes()).toEqual([1]);
    await pause(30);
    expect(sizes()).toEqual([1, 1]);
  });

  test('a batch without an ack goes to the spool with the same id, and those after it go there at once', async () => {
    const { write } = writer();
    const first = write(someScan());
    await turn();
    appends[0]?.refuse();
    expect(await first).toBe('spooled');
    expect(await write(someScan())).toBe('spooled');
    expect(appends.length).toBe(1);
    expect(spooled[0]).toBe(appends[0]?.batch);
    expect(events.map(({ kind }) => kind)).toEqual(['log_unhealthy', 'spooled', 'spooled']);
  });

  test('the batch that failed is resent with its id, and an ack in time makes the log healthy again', async () => {
    const { write } = writer();
    const first = write(someScan());
    await turn();
    appends[0]?.refuse();
    await first;
    await waitUntil('it is sent again', () => appends.length === 2);
    expect(appends[1]).toMatchObject({ batch: appends[0]?.batch });
    expect(await write(someScan())).toBe('spooled');
    appends[1]?.refuse();
    await waitUntil('it is sent once more', () => appends.length === 3);
    appends[2]?.ack();
    await turn();
    const next = write(someScan());
    await turn();
    appends[3]?.ack();
    expect(await next).toBe('logged');
    expect(events.map(({ kind }) => kind)).toEqual([
      'log_unhealthy',
      'spooled',
      'spooled',
      'log_recovered',
      'logged',
    ]);
  });

  test('while NATS is known to be down no append is tried', async () => {
    connected = false;
    expect(await writer().write(someScan())).toBe('spooled');
    expect(appends).toEqual([]);
  });

  test('with a full disk an unhealthy log is still tried, and without one the scan is lost, counted, and nothing throws', async () => {
    disk = 'refused';
    const { write } = writer();
    const first = write(someScan());
    await turn();
    appends[0]?.refuse();
    expect(await first).toBe('lost');
    const second = write(someScan());
    await turn();
    appends[1]?.ack();
    expect(await second).toBe('logged');
    connected = false;
    expect(await write(someScan())).toBe('lost');
    expect(events.filter(({ kind }) => kind === 'lost')).toEqual([
      { kind: 'lost', scans: 1, reason: 'no_store' },
      { kind: 'lost', scans: 1, reason: 'no_store' },
    ]);
  });

  test('beyond the maximum of pending scans, scans are shed and counted', async () => {
    const { write, pending } = writer();
    for (let i = 0; i < 50_000; i++) void write(someScan());
    expect(pending()).toBe(50_000);
    expect(await write(someScan())).toBe('lost');
    expect(events).toEqual([{ kind: 'lost', scans: 1, reason: 'too_many_pending' }]);
  });

  test('a batch holds the scans of one shard, and shards share the appends that may be in flight', async () => {
    const { write } = writer({ appenders: appendersOf(3), chooseShard: shardByDevice, maxInFlight: 1 });
    void write(scanOf(0));
    await turn();
    for (const shard of [0, 1, 2, 1, 0, 2, 1]) void write(scanOf(shard));
    await turn();
    const sent = () => appends.map(({ shard, batch }) => [shard, sizeOf(batch)]);
    expect(sent()).toEqual([[0, 1]]);
    for (let acked = 0; acked < 4; acked++) {
      appends[acked]?.ack();
      await turn();
    }
    expect(sent()).toEqual([
      [0, 1],
      [0, 2],
      [1, 3],
      [2, 2],
    ]);
    for (const { shard, batch } of appends) {
      const decoded = decodeBatch(batch.bytes);
      expect(decoded.ok && new Set(decoded.batch.scans.map(({ device }) => device))).toEqual(
        new Set([devices[shard]]),
      );
    }
  });

  test('a shard that does not ack delays the others by no more than the maximum delay, and spools alone', async () => {
    const { write } = writer({
      appenders: appendersOf(3),
      chooseShard: shardByDevice,
      maxInFlight: 1,
      maxDelayMs: 5,
    });
    const stuck = write(scanOf(0));
    await turn();
    const others = [write(scanOf(1)), write(scanOf(2))];
    await waitUntil('both are sent', () => appends.length === 3);
    appends[1]?.ack();
    appends[2]?.ack();
    expect(await Promise.all(others)).toEqual(['logged', 'logged']);
    appends[0]?.refuse();
    expect(await stuck).toBe('spooled');
    const next = write(scanOf(1));
    await turn();
    appends.findLast(({ shard }) => shard === 1)?.ack();
    expect(await next).toBe('logged');
    expect(await write(scanOf(0))).toBe('spooled');
    expect(events).toContainEqual(expect.objectContaining({ kind: 'log_unhealthy', shard: 0 }));
  });

  test('drained resolves when every write has its outcome', async () => {
    const { write, drained } = writer();
    await drained();
    const outcomes = write(someScan());
    await turn();
    const all = drained();
    appends[0]?.ack();
    await Promise.all([all, outcomes]);
  });
});
