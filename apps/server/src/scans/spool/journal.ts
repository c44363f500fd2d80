import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { countScans, type EncodedBatch } from '../log/format/batch.ts';
import type { SpoolDirectory } from './directory.ts';
import { packRecord } from './records.ts';
import { createSegmentWriter } from './segment-writer.ts';

/**
 * Copies of batches on the local disk, each for as long as a far log takes to ack it. Scanners wait for the copy instead of
 * the log. Its segments look like those of the spool: the next process adopts what a killed one left, and sends it again.
 */
export type Journal = {
  /** Resolves when the copy is on disk (one fdatasync for all that wait), or could not be written. Never rejects. */
  keep(batch: EncodedBatch): Promise<'kept' | 'lost'>;
  /** The batch is durable elsewhere. */
  discard(id: Uuid): void;
  /** Copies that are not discarded stay on disk for the next process. */
  close(): Promise<void>;
};

type Options = {
  readonly directory: SpoolDirectory;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  readonly segmentBytes?: number;
  readonly maxBytes: number;
};

type Waiting = { readonly batch: EncodedBatch; readonly resolve: (outcome: 'kept' | 'lost') => void };
type Segment = { copies: number; bytes: number; isSealed: boolean };

/** A failed disk is not tried again for this long: until then every batch would hit the same fault. */
const retryAfterFaultMs = 1_000;
/** A file whose copies are all discarded stays open for this long: a new one costs a sync of the directory. */
const idleMs = 500;

export function createJournal(options: Options): Journal {
  const { directory, clock, onError, maxBytes, segmentBytes = 1024 * 1024 } = options;
  const segments = new Map<string, Segment>();
  const segmentOf = new Map<Uuid, string>();
  let waiting: Waiting[] = [];
  let bytes = 0;
  let retryAtMs = 0;
  let sealing: NodeJS.Timeout | undefined;
  /** Serializes what touches the segment being written. */
  let lastTask: Promise<void> = Promise.resolve();
  const writer = createSegmentWriter({
    directory,
    clock,
    segmentBytes,
    label: '-copies',
    onSealed(name) {
      const segment = segments.get(name);
      if (!segment) return;
      segment.isSealed = true;
      removeIfDone(name, segment);
    },
  });

  const enqueue = (task: () => Promise<void>) => {
    lastTask = lastTask.then(task).catch(onError);
    return lastTask;
  };

  function removeIfDone(name: string, { copies, isSealed, bytes: size }: Segment): void {
    if (copies > 0) return;
    if (!isSealed) {
      sealing ??= setTimeout(sealIfDone, idleMs).unref();
      return;
    }
    segments.delete(name);
    bytes -= size;
    void enqueue(() => unlink(join(directory.path, name)));
  }

  /** A killed process should not leave copies of what the log has had for long. */
  function sealIfDone(): void {
    sealing = undefined;
    void enqueue(async () => {
      const open = [...segments.values()].find(({ isSealed }) => !isSealed);
      if (open?.copies === 0) await writer.seal();
    });
  }

  async function flush(): Promise<void> {
    const group = waiting;
    waiting = [];
    const records = Buffer.concat(group.map(({ batch }) => packRecord(batch.bytes)));
    try {
      const scans = group.reduce((sum, { batch }) => sum + countScans(batch.bytes), 0);
      await writer.write(records, scans, name => {
        const segment = segments.get(name) ?? { copies: 0, bytes: 0, isSealed: false };
        segments.set(name, segment);
        segment.copies += group.length;
        segment.bytes += records.length;
        for (const { batch } of group) segmentOf.set(batch.id, name);
      });
      bytes += records.length;
      for (const { resolve } of group) resolve('kept');
    } catch (error) {
      retryAtMs = performance.now() + retryAfterFaultMs;
      for (const { resolve } of group) resolve('lost');
      onError(error);
    }
  }

  return {
    keep(batch) {
      if (bytes + batch.bytes.length > maxBytes || performance.now() < retryAtMs)
        return Promise.resolve('lost');
      return new Promise(resolve => {
        waiting.push({ batch, resolve });
        // The first batch schedules a flush; those that arrive before it runs share it.
        if (waiting.length === 1) void enqueue(flush);
      });
    },
    discard(id) {
      const name = segmentOf.get(id);
      if (name === undefined) return;
      segmentOf.delete(id);
      const segment = segments.get(name)!;
      segment.copies--;
      removeIfDone(name, segment);
    },
    async close() {
      clearTimeout(sealing);
      await enqueue(writer.seal);
      // Sealing may have added the removal of a file.
      await lastTask;
    },
  };
}
