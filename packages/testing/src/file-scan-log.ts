import { appendFileSync, closeSync, openSync, readSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { checkEntry } from '../../../apps/server/src/ingest/counting/check.ts';
import type { CheckedEntry, ScanLogReader } from '../../../apps/server/src/ingest/ingest.ts';
import { encodeBatch } from '../../../apps/server/src/scans/log/format/batch.ts';
import type { LogEntry } from '../../../apps/server/src/scans/log/format/entry.ts';
import type { LogState } from '../../../apps/server/src/scans/log/meter.ts';
import { ScanLogError } from '../../../apps/server/src/scans/log/scan-log-error.ts';
import type { ScanBatch } from '../../../apps/server/src/scans/scan.ts';

/** A scan log in memory, with one shard. */
export type MemoryLog = ScanLogReader & {
  append(...batches: readonly ScanBatch[]): number;
  /** Appends raw entries, which need not be batches; their positions are assigned here. */
  appendEntries(...entries: readonly LogEntry[]): number;
  /** Replaces the log: with an empty one, or with an older copy that has the first `keep` entries. */
  replace(keep?: number): void;
  /** Removes the entries up to and including the position. */
  trim(upTo: number): void;
};

export function createMemoryLog(): MemoryLog {
  let entries: LogEntry[] = [];
  let created = 1;
  let first = 1;
  let generation = 1;
  let wake = Promise.withResolvers<void>();
  const notify = () => {
    wake.resolve();
    wake = Promise.withResolvers();
    return entries.length;
  };
  const readState = async (): Promise<LogState> => ({
    createdAt: `log ${created}`,
    firstPosition: first,
    lastPosition: entries.length,
    lastAtMs: timeAt(entries.length),
  });
  const timeAt = (position: number) => {
    const entry = position < first ? undefined : entries[position - 1];
    return entry && entry.kind !== 'missing' ? entry.mark.appendedAtMs : null;
  };
  return {
    append(...batches) {
      for (const batch of batches) entries.push(entryOf(entries.length + 1, batch));
      return notify();
    },
    appendEntries(...more) {
      for (const entry of more) entries.push({ ...entry, position: entries.length + 1 });
      return notify();
    },
    replace(keep = 0) {
      entries = entries.slice(0, keep);
      if (keep === 0) [created, first] = [created + 1, 1];
      generation++;
      notify();
    },
    trim(upTo) {
      first = upTo + 1;
    },
    ready: async () => undefined,
    readState,
    async readTime(_shard, position) {
      const ms = timeAt(position);
      return ms === null ? null : new Date(ms);
    },
    async *read(_shard, afterPosition, signal, known) {
      const stopped = new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()));
      const own = generation;
      const assertSameLog = async () => {
        const { mark = null, createdAt = `log ${created}` } = known ?? {};
        const { reached = null, acked = 0 } = (await known?.extent?.()) ?? {};
        const isReplaced =
          own !== generation ||
          createdAt !== `log ${created}` ||
          entries.length < Math.max(afterPosition, acked) ||
          (mark && afterPosition >= first && timeAt(afterPosition) !== mark.appendedAtMs) ||
          (reached && reached.position >= first && timeAt(reached.position) !== reached.appendedAtMs);
        if (isReplaced) throw new ScanLogError('replaced', 'Another log');
      };
      await assertSameLog();
      for (let next = afterPosition; !signal.aborted; ) {
        if (own !== generation) await assertSameLog();
        if (next < first - 1) {
          yield { kind: 'missing', position: first - 1, count: first - 1 - next };
          next = first - 1;
        }
        const entry = entries[next];
        if (entry) {
          yield entry;
          next++;
        } else await Promise.race([wake.promise, stopped]);
      }
    },
  };
}

let clockMs = Date.now();

/** An entry as the log of NATS returns it; each has a different time, so that marks differ. */
export function entryOf(position: number, batch: ScanBatch): LogEntry {
  clockMs += 5;
  const mark = { batchId: batch?.id ?? '', appendedAtMs: clockMs };
  return { kind: 'batch', position, batch, bytes: bytesOf(batch), mark };
}

/** The same entry, validated by ingest. */
export const checkedOf = (position: number, batch: ScanBatch): CheckedEntry =>
  checkEntry(entryOf(position, batch));

/** A batch that a redirect would never write is encoded as JSON. */
function bytesOf(batch: ScanBatch): Uint8Array {
  try {
    return encodeBatch(batch).bytes;
  } catch {
    return Buffer.from(JSON.stringify(batch) ?? 'undefined');
  }
}

/** A scan log in files, one per shard and one line per entry, that several processes read while one appends. */
export function createFileLog(dir: string) {
  const fileOf = (shard: number) => `${dir}/shard-${shard}.log`;
  const reader: ScanLogReader = {
    ready: async () => undefined,
    readState: async () => ({ createdAt: dir, firstPosition: 1, lastPosition: 0, lastAtMs: null }),
    readTime: async () => null,
    async *read(shard, afterPosition, signal) {
      const file = openSync(fileOf(shard), 'r');
      const chunk = Buffer.alloc(1 << 20);
      let rest = Buffer.alloc(0);
      let position = 0;
      try {
        while (!signal.aborted) {
          const length = readSync(file, chunk);
          if (length === 0) await pause(10);
          rest = Buffer.concat([rest, chunk.subarray(0, length)]);
          const end = rest.lastIndexOf(0x0a) + 1;
          const lines = rest.toString('utf8', 0, end).split('\n').slice(0, -1);
          rest = rest.subarray(end);
          for (const line of lines) {
            if (++position > afterPosition) yield entryOf(position, JSON.parse(line) as ScanBatch);
          }
        }
      } finally {
        closeSync(file);
      }
    },
  };
  return {
    ...reader,
    create: (shard: number) => writeFileSync(fileOf(shard), ''),
    append: (shard: number, batches: readonly ScanBatch[]) =>
      appendFileSync(fileOf(shard), batches.map(batch => `${JSON.stringify(batch)}\n`).join('')),
  };
}
