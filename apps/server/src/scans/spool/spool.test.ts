import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { ids, someScan } from '@signpost/testing/scans.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { type EncodedBatch, encodeBatch, encodedFrom } from '../log/format/batch.ts';
import { replaySpool } from './replay.ts';
import { openSpool, type Spool, type SpoolEvent, type SpoolOptions } from './spool.ts';

let root: string;
let spools: Spool[];
let events: SpoolEvent[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'spool-'));
  spools = [];
  events = [];
});

afterEach(async () => {
  for (const spool of spools) await spool.close();
  rmSync(root, { recursive: true });
});

async function opened(more: Partial<SpoolOptions> = {}): Promise<Spool> {
  const onEvent = (event: SpoolEvent) => events.push(event);
  const spool = await openSpool({ dir: root, maxBytes: 1e8, clock: systemClock, onEvent, ...more });
  spools.push(spool);
  return spool;
}

const sealBytes = 8;
const batch = () => encodeBatch({ id: ids.next(), scans: [someScan()] });
const batches = (count: number) => Array.from({ length: count }, batch);
const idsOf = (of: readonly EncodedBatch[]) => of.map(({ id }) => id);
const directories = () => readdirSync(root);

/** Closes the spool and leaves its segments as a dead process would: next to a lock that no process listens on. */
async function abandon(spool: Spool): Promise<readonly string[]> {
  await spool.close();
  spools.splice(spools.indexOf(spool), 1);
  const [name = ''] = directories().filter(entry => readdirSync(join(root, entry)).length > 0);
  return readdirSync(join(root, name))
    .sort()
    .map(file => join(root, name, file));
}

/** Replays the whole spool and returns its batches, oldest first. */
async function drain(spool: Spool, send: (batch: EncodedBatch) => Promise<void> = async () => undefined) {
  const sent: string[] = [];
  const ending = new AbortController();
  const replaying = replaySpool({
    spool,
    send: async sending => {
      await send(sending);
      sent.push(sending.id);
    },
    available: () => true,
    busy: () => false,
    signal: ending.signal,
    onEvent: event => {
      if (event.kind === 'replayed' && spool.stats().segments === 0) ending.abort();
    },
  });
  await replaying;
  return sent;
}

describe('spool', () => {
  test('spooled batches are replayed, oldest first, and then removed from disk', async () => {
    const spool = await opened({ segmentBytes: 2000 });
    const all = batches(100);
    for (const one of all) expect(await spool.append(one)).toBe('spooled');
    expect(spool.stats().segments).toBeGreaterThan(3);
    expect(spool.stats().scans).toBe(100);
    expect(await drain(spool)).toEqual(idsOf(all));
    expect(spool.stats()).toEqual({ bytes: 0, scans: 0, segments: 0, oldestAtMs: null });
    expect(readdirSync(join(root, directories()[0]!))).toEqual(['lock']);
  });

  test('waiting batches share one write', async () => {
    const spool = await opened();
    const outcomes = await Promise.all(batches(500).map(one => spool.append(one)));
    expect(new Set(outcomes)).toEqual(new Set(['spooled']));
    expect((await drain(spool)).length).toBe(500);
  });

  test('a segment is only deleted after all of it was acked, whatever fails in between', async () => {
    const spool = await opened();
    const all = batches(40);
    await Promise.all(all.map(one => spool.append(one)));
    const failedOnce = new Set<string>();
    const sent = await drain(spool, async ({ id }) => {
      expect(spool.stats().segments).toBe(1);
      if (failedOnce.has(id) || Math.random() < 0.7) return;
      failedOnce.add(id);
      throw new Error('no ack');
    });
    expect(new Set(sent)).toEqual(new Set(idsOf(all)));
  });

  test('an aborted replay loses nothing: the next one sends the segment again', async () => {
    const spool = await opened();
    const all = batches(50);
    await Promise.all(all.map(one => spool.append(one)));
    const ending = new AbortController();
    let tries = 0;
    const send = async () => {
      if (++tries === 20) ending.abort();
    };
    await replaySpool({ spool, send, available: () => true, busy: () => false, signal: ending.signal });
    expect(spool.stats().segments).toBe(1);
    expect(await drain(spool)).toEqual(idsOf(all));
  });

  test('live scans have priority, but a busy log does not starve the replay', async () => {
    const spool = await opened();
    await Promise.all(batches(40).map(one => spool.append(one)));
    let calls = 0;
    const callsBefore: number[] = [];
    const ending = new AbortController();
    await replaySpool({
      spool,
      send: async () => void (callsBefore.push(calls) === 40 && ending.abort()),
      available: () => true,
      busy: () => {
        calls++;
        // First idle after the third call, then never again.
        return calls !== 4;
      },
      signal: ending.signal,
    });
    expect(callsBefore[0]).toBe(4);
    expect(callsBefore.length).toBe(40);
    expect(callsBefore.at(-1)).toBeGreaterThan(20);
  });

  test('a full spool refuses and raises one alarm, throws nothing, and accepts batches again when there is room', async () => {
    const spool = await opened({ maxBytes: 20_000, segmentBytes: 5000 });
    const outcomes = await Promise.all(batches(300).map(one => spool.append(one)));
    const spooledCount = outcomes.filter(outcome => outcome === 'spooled').length;
    expect(spooledCount).toBeGreaterThan(100);
    expect(outcomes.filter(outcome => outcome === 'refused').length).toBe(300 - spooledCount);
    expect(events.map(({ kind }) => kind)).toEqual(['spool_full']);
    expect((await drain(spool)).length).toBe(spooledCount);
    expect(await spool.append(batch())).toBe('spooled');
  });

  test('a failing disk refuses and raises an alarm, and throws nothing', async () => {
    const spool = await opened();
    rmSync(join(root, directories()[0]!), { recursive: true });
    expect(await spool.append(batch())).toBe('refused');
    expect(spool.stats()).toMatchObject({ bytes: 0 });
    expect(events.map(({ kind }) => kind)).toEqual(['spool_failed']);
  });

  test('a failing disk is tried once a second and gets no empty files; when it works again, so does the spool', async () => {
    const spool = await opened();
    const place = join(root, directories()[0]!);
    const away = `${place}.away`;
    renameSync(place, away);
    let outcomes = new Set(await Promise.all(batches(50).map(one => spool.append(one))));
    for (const one of batches(50)) outcomes.add(await spool.append(one));
    expect(outcomes).toEqual(new Set(['refused']));
    expect(spool.stats()).toMatchObject({ bytes: 0, segments: 0 });
    expect(events.map(({ kind }) => kind)).toEqual(['spool_failed']);
    renameSync(away, place);
    const all = batches(5);
    await waitUntil('it takes again', async () => (await spool.append(batch())) === 'spooled');
    outcomes = new Set(await Promise.all(all.map(one => spool.append(one))));
    expect(outcomes).toEqual(new Set(['spooled']));
    expect(await drain(spool)).toEqual(expect.arrayContaining(idsOf(all)));
  });

  test('it never looks empty while it holds a batch', async () => {
    const spool = await opened();
    await spool.append(batch());
    let found = false;
    const finding = spool.oldest().then(() => {
      found = true;
    });
    for (; !found; await turn()) expect(spool.stats().segments).toBe(1);
    await finding;
    expect(spool.stats().segments).toBe(1);
  });

  test('an unreadable segment is reported and does not block the others', async () => {
    const before = await opened({ segmentBytes: 300 });
    const all = batches(9);
    for (const one of all) await before.append(one);
    const files = await abandon(before);
    const spool = await opened();
    const place = join(root, directories()[0]!);
    rmSync(join(place, basename(files[0]!)));
    const problems: unknown[] = [];
    const sent: string[] = [];
    const ending = new AbortController();
    await replaySpool({
      spool,
      send: async ({ id }) => void (sent.push(id) === 6 && ending.abort()),
      available: () => true,
      busy: () => false,
      signal: ending.signal,
      onEvent: event => event.kind === 'spool_failed' && problems.push(event),
    });
    expect(sent).toEqual(idsOf(all).slice(3));
    expect(problems.length).toBe(1);
  });

  test('batches of a newer version stay on disk, and all others are replayed', async () => {
    const before = await opened({ segmentBytes: 300 });
    const all = batches(9);
    const newer = { id: ids.next(), bytes: Buffer.of(99, 1, 2, 3) };
    for (const one of [...all.slice(0, 4), newer, ...all.slice(4)]) await before.append(one);
    await abandon(before);
    const spool = await opened();
    const [unknown, sent]: [unknown[], Set<string>] = [[], new Set()];
    const ending = new AbortController();
    await replaySpool({
      spool,
      send: async ({ id }) => void sent.add(id),
      available: () => true,
      busy: () => false,
      signal: ending.signal,
      onEvent: event => {
        if (event.kind === 'replay_unknown') unknown.push(event.batches);
        if (sent.size === 9 && spool.stats().segments <= 1) ending.abort();
      },
    });
    expect(sent).toEqual(new Set(idsOf(all)));
    expect(unknown).toEqual([1]);
    // The alert is based on this.
    expect(spool.stats().oldestAtMs).toBeTypeOf('number');
    const [file = ''] = await abandon(spool);
    expect(readFileSync(file).includes(newer.bytes)).toBe(true);
  });

  test('the directory of a live process is left alone', async () => {
    const one = await opened();
    await one.append(batch());
    const other = await opened();
    expect(await other.oldest()).toBeNull();
    expect(directories().length).toBe(2);
    expect((await drain(one)).length).toBe(1);
  });

  test('segments of a dead process are adopted once, also by many processes at the same time', async () => {
    const all = batches(60);
    const before = await opened({ segmentBytes: 1000 });
    for (const one of all) await before.append(one);
    await abandon(before);
    const heirs = await Promise.all(Array.from({ length: 5 }, () => opened()));
    const sent = await Promise.all(heirs.map(heir => (heir.stats().segments > 0 ? drain(heir) : [])));
    expect(sent.flat().sort()).toEqual(idsOf(all).sort());
    expect(directories().length).toBe(5);
    expect(events.every(event => event.kind === 'spool_adopted' && event.unsealed === 0)).toBe(true);
  });

  test('a torn last record is truncated and reported, and everything before it is replayed', async () => {
    const all = batches(10);
    const before = await opened();
    for (const one of all) await before.append(one);
    const [file = ''] = await abandon(before);
    truncateSync(file, statSync(file).size - sealBytes - 5);
    const spool = await opened();
    const tornBytes = all[9]!.bytes.length + 8 - 5;
    expect(events).toMatchObject([
      { kind: 'spool_damaged', tornBytes, damaged: 0 },
      { kind: 'spool_adopted', segments: 1, unsealed: 1 },
    ]);
    expect(await drain(spool)).toEqual(idsOf(all.slice(0, 9)));
  });

  test.each([4096, 4096 + sealBytes, 4100])(
    'with the last %i bytes of a segment cut, the loss is reported and is at most what was cut',
    async cut => {
      const all = batches(200);
      const before = await opened();
      await Promise.all(all.map(one => before.append(one)));
      const [file = ''] = await abandon(before);
      truncateSync(file, statSync(file).size - cut);
      const spool = await opened();
      expect(events.at(-1)).toMatchObject({ kind: 'spool_adopted', unsealed: 1 });
      const sent = await drain(spool);
      const cutRecords = Math.ceil(cut / (all[0]!.bytes.length + 8));
      expect(sent).toEqual(idsOf(all).slice(0, sent.length));
      expect(all.length - sent.length).toBeLessThanOrEqual(cutRecords);
    },
  );

  test('a damaged record is reported, and those after it are replayed', async () => {
    const all = batches(10);
    const before = await opened();
    for (const one of all) await before.append(one);
    const [file = ''] = await abandon(before);
    const bytes = readFileSync(file);
    bytes[(all[0]!.bytes.length + 8) * 5 + 20]! ^= 1;
    writeFileSync(file, Buffer.concat([bytes, Buffer.alloc(4096)]));
    const spool = await opened();
    expect(events[0]).toMatchObject({ kind: 'spool_damaged', damaged: 1, tornBytes: 4096 });
    expect((await drain(spool)).length).toBe(9);
  });

  test('a batch from the spool has its original id and bytes', async () => {
    const spool = await opened();
    const one = batch();
    await spool.append(one);
    const { records } = (await (await spool.oldest())?.read()) ?? { records: [] };
    expect(encodedFrom(records[0]!)).toEqual(one);
  });
});
