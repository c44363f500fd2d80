import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { ids, someScan } from '../../../../test/support/scans.ts';
import { waitUntil } from '../../../../tools/engines/wait.ts';
import { openBatch, type SealedBatch } from './batch.ts';
import { createScanWriter, type WriterEvent, type WriterOptions } from './group-commit.ts';
import { ScanLogError } from './scan-log-error.ts';

type Append = { readonly batch: SealedBatch; readonly timeoutMs: number; ack(): void; refuse(): void };

let appends: Append[];
let spooled: SealedBatch[];
let events: WriterEvent[];
let connected: boolean;
let disk: 'spooled' | 'lost';
let parts: Pick<WriterOptions, 'log' | 'spool' | 'onEvent'>;

beforeEach(() => {
  connected = true;
  disk = 'spooled';
  // A writer in doubt goes on asking after its test is over: each has lists of its own.
  const [ownAppends, ownSpooled, ownEvents]: [Append[], SealedBatch[], WriterEvent[]] = [[], [], []];
  appends = ownAppends;
  spooled = ownSpooled;
  events = ownEvents;
  parts = {
    log: {
      available: () => connected,
      append(batch, timeoutMs) {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        const refuse = () => reject(new ScanLogError('away', 'no ack'));
        ownAppends.push({ batch, timeoutMs, ack: resolve, refuse });
        return promise;
      },
    },
    spool: {
      async append(batch) {
        ownSpooled.push(batch);
        return disk;
      },
    },
    onEvent: event => ownEvents.push(event),
  };
});

const writer = (more: Partial<WriterOptions> = {}) =>
  createScanWriter({ ...parts, ids, maxDelayMs: 60_000, ...more });

const sizeOf = ({ bytes }: SealedBatch) => {
  const opened = openBatch(bytes);
  return opened.ok ? opened.batch.scans.length : -1;
};
const sizes = () => appends.map(({ batch }) => sizeOf(batch));

describe('group commit', () => {
  test('a lone scan is appended in the same turn of the event loop', async () => {
    const kept = writer().write(someScan());
    await turn();
    expect(sizes()).toEqual([1]);
    appends[0]?.ack();
    expect(await kept).toBe('logged');
  });

  test('scans that come while all places are taken share the next append, up to the most', async () => {
    const { write } = writer({ maxInFlight: 2, maxBatch: 10 });
    const kept: Promise<string>[] = [];
    for (let i = 0; i < 2; i++) {
      kept.push(write(someScan()));
      await turn();
    }
    for (let i = 0; i < 25; i++) kept.push(write(someScan()));
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
    expect(new Set(await Promise.all(kept))).toEqual(new Set(['logged']));
  });

  test('no scan gathers longer than the longest delay, however slow the acks', async () => {
    const { write } = writer({ maxInFlight: 1, maxDelayMs: 5 });
    void write(someScan());
    await turn();
    void write(someScan());
    await turn();
    expect(sizes()).toEqual([1]);
    await pause(30);
    expect(sizes()).toEqual([1, 1]);
  });

  test('a batch without an ack goes to the spool under the same id, and those after it at once', async () => {
    const { write } = writer();
    const first = write(someScan());
    await turn();
    expect(appends[0]?.timeoutMs).toBe(100);
    appends[0]?.refuse();
    expect(await first).toBe('spooled');
    expect(await write(someScan())).toBe('spooled');
    expect(appends.length).toBe(1);
    expect(spooled[0]).toBe(appends[0]?.batch);
    expect(events.map(({ kind }) => kind)).toEqual(['log_doubted', 'spooled', 'spooled']);
  });

  test('the batch in doubt is sent again under its id, and an ack in time ends the doubt', async () => {
    const { write } = writer();
    const first = write(someScan());
    await turn();
    appends[0]?.refuse();
    await first;
    await waitUntil('it is sent again', () => appends.length === 2);
    expect(appends[1]).toMatchObject({ batch: appends[0]?.batch, timeoutMs: 100 });
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
      'log_doubted',
      'spooled',
      'spooled',
      'log_trusted',
      'logged',
    ]);
  });

  test('while NATS is known to be away no append is tried', async () => {
    connected = false;
    expect(await writer().write(someScan())).toBe('spooled');
    expect(appends).toEqual([]);
  });

  test('with a full disk a log in doubt is still tried, and without one the scan is lost, counted, and nothing throws', async () => {
    disk = 'lost';
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
      { kind: 'lost', scans: 1, why: 'nowhere' },
      { kind: 'lost', scans: 1, why: 'nowhere' },
    ]);
  });

  test('beyond the most that may wait, scans are shed and counted', async () => {
    const { write, pending } = writer();
    for (let i = 0; i < 50_000; i++) void write(someScan());
    expect(pending()).toBe(50_000);
    expect(await write(someScan())).toBe('lost');
    expect(events).toEqual([{ kind: 'lost', scans: 1, why: 'too_many' }]);
  });

  test('a scan that cannot be put into bytes is lost alone and counted, and nothing throws', async () => {
    const { write } = writer();
    const kept = [write(someScan()), write(someScan({ atMs: -1 })), write(someScan())];
    await turn();
    for (const append of appends) append.ack();
    expect(await Promise.all(kept)).toEqual(['logged', 'lost', 'logged']);
    expect(events.filter(({ kind }) => kind === 'lost')).toEqual([{ kind: 'lost', scans: 1, why: 'broken' }]);
  });

  test('drained resolves when every write has its answer', async () => {
    const { write, drained } = writer();
    await drained();
    const kept = write(someScan());
    await turn();
    const all = drained();
    appends[0]?.ack();
    await Promise.all([all, kept]);
  });
});
