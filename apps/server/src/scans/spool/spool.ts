import { readFile, truncate, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import { countScans, type EncodedBatch } from '../log/format/batch.ts';
import { openSpoolDirectory, type SpoolDirectory } from './directory.ts';
import { createJournal, type Journal } from './journal.ts';
import { isNoSpace } from './no-space.ts';
import { packRecord, recordHeaderBytes, type SpoolRecords, unpackRecords } from './records.ts';
import { releaseReserve } from './reserve.ts';
import { createSegmentWriter, type SegmentWriter } from './segment-writer.ts';

export type SpoolSegment = { readonly name: string; readonly bytes: number; read(): Promise<SpoolRecords> };
export type SpoolStats = {
  readonly bytes: number;
  /** Without those in a layout that this version does not know. */
  readonly scans: number;
  readonly segments: number;
  /** When the oldest segment was started; null if nothing is spooled. */
  readonly oldestAtMs: number | null;
};

export type SpoolEvent =
  /** The alarm: batches are refused from now on, until there is room again. */
  | { readonly kind: 'spool_full'; readonly bytes: number; readonly maxBytes: number }
  | { readonly kind: 'spool_failed'; readonly error: unknown }
  /**
   * `unsealed`: segments without an end marker. A killed process leaves one, and another with copies for a far log; more means
   * that files were cut off.
   */
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

/** Whether a batch is on disk. */
export type SpoolOutcome = 'spooled' | 'refused';

type Waiting = {
  readonly record: Buffer;
  readonly scans: number;
  readonly resolve: (outcome: SpoolOutcome) => void;
};

/** Batches that wait in memory for the disk. At this limit the disk is not keeping up. */
const maxWaitingBytes = 32 * 1024 * 1024;

/** Copies for a far log are short-lived: many seconds of a busy process fit. */
const maxJournalBytes = 64 * 1024 * 1024;

/** A failed disk is not tried again for this long: until then every batch would hit the same fault. */
const retryAfterFaultMs = 1_000;

export async function openSpool(options: SpoolOptions): Promise<Spool> {
  const spool = new Spool(await openSpoolDirectory(options.dir), options);
  await spool.adopt().catch(error => {
    if (!isNoSpace(error)) throw error;
    options.onEvent?.({ kind: 'spool_failed', error });
  });
  return spool;
}

/** Batches on the local disk, for as long as the log does not take them. */
export class Spool {
  /** Copies of batches that are on their way to a far log. They are not part of the spool. */
  readonly journal: Journal;
  readonly #directory: SpoolDirectory;
  readonly #segments: SegmentWriter;
  readonly #maxBytes: number;
  readonly #onEvent: (event: SpoolEvent) => void;
  readonly #complete = new Map<string, { readonly bytes: number; readonly scans: number }>();
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #bytes = 0;
  #scans = 0;
  #isFull = false;
  #retryAtMs = 0;
  #isClosed = false;
  /** Serializes what touches the segment being written. */
  #lastTask: Promise<void> = Promise.resolve();

  constructor(
    directory: SpoolDirectory,
    { dir, maxBytes, clock, segmentBytes = 4 * 1024 * 1024, onEvent = () => undefined }: SpoolOptions,
  ) {
    this.#directory = directory;
    this.#maxBytes = maxBytes;
    this.#onEvent = onEvent;
    const onError = (error: unknown) => onEvent({ kind: 'spool_failed', error });
    this.journal = createJournal({
      directory,
      clock,
      onError,
      maxBytes: Math.min(maxBytes, maxJournalBytes),
    });
    this.#segments = createSegmentWriter({
      directory,
      clock,
      segmentBytes,
      freeSpace: () => releaseReserve(dir),
      onSealed: (name, bytes, sealBytes, scans) => {
        this.#complete.set(name, { bytes, scans });
        this.#bytes += sealBytes;
      },
    });
  }

  /** Resolves when the batch is on disk (one fdatasync for all that wait), or refused. Never rejects. */
  append(batch: EncodedBatch): Promise<SpoolOutcome> {
    const size = batch.bytes.length + recordHeaderBytes;
    if (this.#isClosed || this.#isBackingOff()) return Promise.resolve('refused');
    if (this.#bytes + size > this.#maxBytes || this.#waitingBytes + size > maxWaitingBytes) {
      if (!this.#isFull) this.#onEvent({ kind: 'spool_full', bytes: this.#bytes, maxBytes: this.#maxBytes });
      this.#isFull = true;
      return Promise.resolve('refused');
    }
    this.#bytes += size;
    this.#waitingBytes += size;
    return new Promise(resolve => {
      this.#waiting.push({ record: packRecord(batch.bytes), scans: countScans(batch.bytes), resolve });
      // The first batch schedules a flush; those that arrive before it runs share it.
      if (this.#waiting.length === 1) void this.#enqueue(() => this.#flush());
    });
  }

  /** The oldest complete segment that is not to be skipped. If there is none, the one being written is sealed and returned. */
  async oldest(skip: ReadonlySet<string> = new Set()): Promise<SpoolSegment | null> {
    const choose = () => [...this.#complete.keys()].filter(name => !skip.has(name)).sort()[0];
    if (choose() === undefined && this.#segments.isOpen()) await this.#enqueue(this.#segments.seal);
    const name = choose();
    if (name === undefined) return null;
    const read = async () => unpackRecords(await readFile(this.#toPath(name)));
    return { name, bytes: this.#complete.get(name)?.bytes ?? 0, read };
  }

  async remove({ name }: SpoolSegment): Promise<void> {
    await unlink(this.#toPath(name));
    const removed = this.#complete.get(name);
    this.#bytes -= removed?.bytes ?? 0;
    this.#scans -= removed?.scans ?? 0;
    this.#complete.delete(name);
    this.#resetAlarm();
  }

  /** Takes over the segments of processes that no longer run. */
  async adopt(): Promise<void> {
    const names = [...(await this.#directory.adopt())].sort();
    let [bytes, unsealed] = [0, 0];
    for (const name of names) {
      const { goodBytes, sealed, records } = await this.#repair(name);
      const scans = records.reduce((sum, record) => sum + countScans(record), 0);
      this.#complete.set(name, { bytes: goodBytes, scans });
      this.#scans += scans;
      this.#bytes += goodBytes;
      bytes += goodBytes;
      if (!sealed) unsealed++;
    }
    if (names.length > 0) this.#onEvent({ kind: 'spool_adopted', segments: names.length, bytes, unsealed });
  }

  stats(): SpoolStats {
    return {
      bytes: this.#bytes,
      scans: this.#scans,
      segments: this.#complete.size + (this.#segments.isOpen() ? 1 : 0),
      oldestAtMs: this.#oldestAtMs(),
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#enqueue(() => this.#flush());
    await this.#enqueue(this.#segments.seal);
    await this.journal.close();
    for (const [name, { bytes }] of this.#complete)
      if (bytes === 0) await unlink(this.#toPath(name)).catch(() => undefined);
    await this.#directory.close();
  }

  #enqueue(task: () => Promise<void>): Promise<void> {
    this.#lastTask = this.#lastTask.then(task).catch(error => this.#onEvent({ kind: 'spool_failed', error }));
    return this.#lastTask;
  }

  async #flush(): Promise<void> {
    const group = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    if (group.length === 0) return;
    const data = Buffer.concat(group.map(({ record }) => record));
    const refuseAll = () => {
      this.#bytes -= data.length;
      for (const { resolve } of group) resolve('refused');
    };
    // They arrived while the write before them was failing.
    if (this.#isBackingOff()) return refuseAll();
    try {
      const scans = group.reduce((sum, waiting) => sum + waiting.scans, 0);
      await this.#segments.write(data, scans);
      this.#scans += scans;
      for (const { resolve } of group) resolve('spooled');
      this.#resetAlarm();
    } catch (error) {
      this.#retryAtMs = performance.now() + retryAfterFaultMs;
      refuseAll();
      this.#onEvent({ kind: 'spool_failed', error });
    }
  }

  /** Truncates a torn record at the end and reports it. */
  async #repair(name: string): Promise<SpoolRecords> {
    const found = unpackRecords(await readFile(this.#toPath(name)));
    const { goodBytes, tornBytes, damaged } = found;
    if (tornBytes > 0) await truncate(this.#toPath(name), goodBytes);
    if (tornBytes + damaged > 0) this.#onEvent({ kind: 'spool_damaged', segment: name, tornBytes, damaged });
    return found;
  }

  /** The alarm is raised once, and again only after a tenth of the spool was free. */
  #resetAlarm(): void {
    if (this.#bytes < this.#maxBytes * 0.9) this.#isFull = false;
  }

  #isBackingOff(): boolean {
    return performance.now() < this.#retryAtMs;
  }

  #oldestAtMs(): number | null {
    const open = this.#segments.sinceMs();
    // The name of a segment begins with its time.
    const times = [...this.#complete.keys()].map(name => Number.parseInt(name, 10)).concat(open ?? []);
    return times.length > 0 ? Math.min(...times) : null;
  }

  #toPath(name: string): string {
    return join(this.#directory.path, name);
  }
}
