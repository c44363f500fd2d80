import type { Uuid } from '../kernel/ids.ts';
import { openBatch, type UnreadableReason } from './batch.ts';
import type { ScanBatch } from './scan.ts';

/** Every position of the log is accounted for: as a batch, as bytes that cannot be read, or as missing. */
export type LogEntry =
  | {
      readonly kind: 'batch';
      readonly position: number;
      readonly batch: ScanBatch;
      readonly bytes: Uint8Array;
      readonly mark: EntryMark;
      /** The `traceparent` of the append, where it was traced. */
      readonly trace?: string;
    }
  | {
      readonly kind: 'unreadable';
      readonly position: number;
      readonly reason: UnreadableReason;
      readonly bytes: Uint8Array;
      readonly mark: EntryMark;
    }
  /** `count` entries up to and with `position` are gone, trimmed before they were read. */
  | { readonly kind: 'missing'; readonly position: number; readonly count: number };

/** Tells one entry from any other that has the same position in another log: its batch, and when the log took it. */
export type EntryMark = {
  /** Empty where the bytes cannot be read. */
  readonly batchId: Uuid | '';
  readonly takenAtMs: number;
};

export function entryOf(position: number, bytes: Uint8Array, takenAtMs: number, trace?: string): LogEntry {
  const opened = openBatch(bytes);
  if (!opened.ok)
    return { kind: 'unreadable', position, reason: opened.reason, bytes, mark: { batchId: '', takenAtMs } };
  const { batch } = opened;
  const mark = { batchId: batch.id, takenAtMs };
  return { kind: 'batch', position, batch, bytes, mark, ...(trace ? { trace } : {}) };
}

/** The client of NATS rounds the time of a message that it reads, so that two looks at one entry may differ by 1 ms. */
export const isSameMark = (one: EntryMark, other: EntryMark): boolean =>
  one.batchId === other.batchId && Math.abs(one.takenAtMs - other.takenAtMs) <= 1;

/** How much a shard of the log holds. */
export type LogSize = {
  readonly bytes: number;
  readonly createdAt: string;
  readonly firstPosition: number;
  readonly lastPosition: number;
};
