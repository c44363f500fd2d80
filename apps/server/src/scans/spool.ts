import { readFile, truncate, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../kernel/clock.ts';
import { type SealedBatch, scansIn } from './batch.ts';
import { createSegmentWriter } from './segment-writer.ts';
import { openSpoolDirectory, type SpoolDirectory } from './spool-directory.ts';
import { packRecord, recordHeadBytes, type SpoolRecords, unpackRecords } from './spool-records.ts';

/** Batches on the local disk, for as long as the log does not take them. */
export type Spool = {
  /** Resolves when the batch is on disk (one fdatasync for all that wait), or lost. Never rejects. */
  append(batch: SealedBatch): Promise<'spooled' | 'lost'>;
  /** The oldest complete segment but for those to skip. Where there is none, the one being written is closed and given. */
  oldest(skip?: ReadonlySet<string>): Promise<SpoolSegment | null>;
  remove(segment: SpoolSegment): Promise<void>;
  /** Takes over what processes that are gone have left. */
  adopt(): Promise<void>;
  stats(): SpoolStats;
  close(): Promise<void>;
};

export type SpoolSegment = { readonly name: string; readonly bytes: number; read(): Promise<SpoolRecords> };
export type SpoolStats = {
  readonly bytes: number;
  /** Those in a layout that this version does not know are not among them. */
  readonly scans: number;
  readonly segments: number;
  readonly lostBatches: number;
  /** When the oldest segment was begun; null where nothing is spooled. */
  readonly oldestAtMs: number | null;
};

export type SpoolEvent =
  /** The alarm: from now on batches are lost, until there is room again. */
  | { readonly kind: 'spool_full'; readonly bytes: number; readonly maxBytes: number }
  | { readonly kind: 'spool_failed'; readonly error: unknown }
  /** `unsealed`: whose end is not known. Of a process that was killed one is; more, and something was cut off. */
  | {
      readonly kind: 'spool_adopted';
      readonly segments: number;
      readonly bytes: number;
      readonly unsealed: number;
    }
  | {
      readonly kind: 'spool_damaged';
      readonly segment: string;
      readonly tornBytes: number;
      readonly damaged: number;
    };

export type SpoolOptions = {
  readonly dir: string;
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly segmentBytes?: number;
  readonly onEvent?: (event: SpoolEvent) => void;
};

type Waiting = {
  readonly record: Buffer;
  readonly scans: number;
  readonly resolve: (kept: 'spooled' | 'lost') => void;
};

/** Batches that wait for the disk in memory; more than this, and the disk is not keeping up. */
const maxWaitingBytes = 32 * 1024 * 1024;

/** A disk that has failed is left alone for so long: until then every batch would meet the same fault. */
const restAfterFaultMs = 1_000;

export async function openSpool(options: SpoolOptions): Promise<Spool> {
  const spool = createSpool(await openSpoolDirectory(options.dir), options);
  await spool.adopt();
  return spool;
}

function createSpool(
  directory: SpoolDirectory,
  { maxBytes, clock, segmentBytes = 4 * 1024 * 1024, onEvent = () => undefined }: SpoolOptions,
): Spool {
  const complete = new Map<string, { readonly bytes: number; readonly scans: number }>();
  const pathOf = (name: string) => join(directory.path, name);
  let waiting: Waiting[] = [];
  let waitingBytes = 0;
  let bytes = 0;
  let scans = 0;
  let lostBatches = 0;
  let full = false;
  let restsUntilMs = 0;
  let closed = false;
  /** What touches the segment being written goes one after the other. */
  let turn: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>) => {
    turn = turn.then(work).catch(error => onEvent({ kind: 'spool_failed', error }));
    return turn;
  };

  const segments = createSegmentWriter({
    directory,
    clock,
    segmentBytes,
    onSealed(name, size, sealBytes, held) {
      complete.set(name, { bytes: size, scans: held });
      bytes += sealBytes;
    },
  });

  /** The alarm is raised once, and again only after there has been room to speak of. */
  function relax(): void {
    if (bytes < maxBytes * 0.9) full = false;
  }

  const isResting = () => performance.now() < restsUntilMs;

  function lose(): 'lost' {
    lostBatches++;
    return 'lost';
  }

  async function flush(): Promise<void> {
    const group = waiting;
    waiting = [];
    waitingBytes = 0;
    if (group.length === 0) return;
    const data = Buffer.concat(group.map(({ record }) => record));
    const loseAll = () => {
      bytes -= data.length;
      for (const { resolve } of group) resolve(lose());
    };
    // They came while the try before them was failing.
    if (isResting()) return loseAll();
    try {
      const held = group.reduce((sum, one) => sum + one.scans, 0);
      await segments.write(data, held);
      scans += held;
      for (const { resolve } of group) resolve('spooled');
      relax();
    } catch (error) {
      restsUntilMs = performance.now() + restAfterFaultMs;
      loseAll();
      onEvent({ kind: 'spool_failed', error });
    }
  }

  async function adopt(): Promise<void> {
    const names = [...(await directory.adopt())].sort();
    let [found, unsealed] = [0, 0];
    for (const name of names) {
      const { goodBytes, sealed, records } = await mend(name);
      const held = records.reduce((sum, record) => sum + scansIn(record), 0);
      complete.set(name, { bytes: goodBytes, scans: held });
      scans += held;
      bytes += goodBytes;
      found += goodBytes;
      if (!sealed) unsealed++;
    }
    if (names.length > 0) onEvent({ kind: 'spool_adopted', segments: names.length, bytes: found, unsealed });
  }

  /** Cuts a torn record off the end and says so. */
  async function mend(name: string): Promise<SpoolRecords> {
    const found = unpackRecords(await readFile(pathOf(name)));
    const { goodBytes, tornBytes, damaged } = found;
    if (tornBytes > 0) await truncate(pathOf(name), goodBytes);
    if (tornBytes + damaged > 0) onEvent({ kind: 'spool_damaged', segment: name, tornBytes, damaged });
    return found;
  }

  function oldestAtMs(): number | null {
    const open = segments.sinceMs();
    // The name of a segment begins with its time.
    const times = [...complete.keys()].map(name => Number.parseInt(name, 10)).concat(open ?? []);
    return times.length > 0 ? Math.min(...times) : null;
  }

  return {
    append(batch) {
      const size = batch.bytes.length + recordHeadBytes;
      if (closed || isResting()) return Promise.resolve(lose());
      if (bytes + size > maxBytes || waitingBytes + size > maxWaitingBytes) {
        if (!full) onEvent({ kind: 'spool_full', bytes, maxBytes });
        full = true;
        return Promise.resolve(lose());
      }
      bytes += size;
      waitingBytes += size;
      return new Promise(resolve => {
        waiting.push({ record: packRecord(batch.bytes), scans: scansIn(batch.bytes), resolve });
        // The first to wait asks for a turn; whoever comes until then shares it.
        if (waiting.length === 1) void inTurn(flush);
      });
    },
    async oldest(skip = new Set()) {
      const choose = () => [...complete.keys()].filter(name => !skip.has(name)).sort()[0];
      if (choose() === undefined && segments.isOpen()) await inTurn(segments.seal);
      const name = choose();
      if (name === undefined) return null;
      const read = async () => unpackRecords(await readFile(pathOf(name)));
      return { name, bytes: complete.get(name)?.bytes ?? 0, read };
    },
    async remove({ name }) {
      await unlink(pathOf(name));
      const gone = complete.get(name);
      bytes -= gone?.bytes ?? 0;
      scans -= gone?.scans ?? 0;
      complete.delete(name);
      relax();
    },
    adopt,
    stats: () => ({
      bytes,
      scans,
      segments: complete.size + (segments.isOpen() ? 1 : 0),
      lostBatches,
      oldestAtMs: oldestAtMs(),
    }),
    async close() {
      closed = true;
      await inTurn(flush);
      await inTurn(segments.seal);
      for (const [name, size] of complete)
        if (size.bytes === 0) await unlink(pathOf(name)).catch(() => undefined);
      await directory.close();
    },
  };
}
