import { appendFileSync, closeSync, openSync, readSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { LogEntry, ScanLogReader } from '../../apps/server/src/ingest/ingest.ts';
import type { ScanBatch } from '../../apps/server/src/scans/scan.ts';

/** A scan log in memory, of one shard. */
export type MemoryLog = ScanLogReader & { append(...batches: readonly ScanBatch[]): number };

export function createMemoryLog(): MemoryLog {
  const entries: LogEntry[] = [];
  let wake = Promise.withResolvers<void>();
  return {
    append(...batches) {
      for (const batch of batches) entries.push({ position: entries.length + 1, batch });
      wake.resolve();
      wake = Promise.withResolvers();
      return entries.length;
    },
    async *read(_shard, afterPosition, signal) {
      const stopped = new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()));
      for (let next = afterPosition; !signal.aborted; ) {
        const entry = entries[next];
        if (entry) {
          yield entry;
          next++;
        } else await Promise.race([wake.promise, stopped]);
      }
    },
  };
}

/** A scan log in files, one a shard and one line an entry, that several processes read while one appends. */
export function createFileLog(dir: string) {
  const fileOf = (shard: number) => `${dir}/shard-${shard}.log`;
  return {
    create: (shard: number) => writeFileSync(fileOf(shard), ''),
    append: (shard: number, batches: readonly ScanBatch[]) =>
      appendFileSync(fileOf(shard), batches.map(batch => `${JSON.stringify(batch)}\n`).join('')),
    async *read(shard: number, afterPosition: number, signal: AbortSignal): AsyncGenerator<LogEntry> {
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
            if (++position > afterPosition) yield { position, batch: JSON.parse(line) as ScanBatch };
          }
        }
      } finally {
        closeSync(file);
      }
    },
  };
}
