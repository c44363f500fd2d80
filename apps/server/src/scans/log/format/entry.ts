import type { Uuid } from '../../../kernel/ids.ts';
import type { ScanBatch } from '../../scan.ts';
import { decodeBatch, type UnreadableReason } from './batch.ts';

/** Every position of the log yields an entry: a batch, unreadable bytes, or a gap. */
export type LogEntry =
  | {
      readonly kind: 'batch';
      readonly position: number;
      readonly batch: ScanBatch;
      readonly bytes: Uint8Array;
      readonly mark: EntryMark;
      /** The `traceparent` of the append, if it was traced. */
      readonly trace?: string;
    }
  | {
      readonly kind: 'unreadable';
      readonly position: number;
      readonly reason: UnreadableReason;
      readonly bytes: Uint8Array;
      readonly mark: EntryMark;
    }
  /** `count` entries up to and including `position` were trimmed before they were read. */
  | { readonly kind: 'missing'; readonly position: number; readonly count: number };

/** Identifies an entry, even against one at the same position of another log: its batch, and when it was appended. */
export type EntryMark = {
  /** Empty if the bytes are unreadable. */
  readonly batchId: Uuid | '';
  readonly appendedAtMs: number;
};

export function decodeEntry(
  position: number,
  bytes: Uint8Array,
  appendedAtMs: number,
  trace?: string,
): LogEntry {
  const decoded = decodeBatch(bytes);
  if (!decoded.ok)
    return {
      kind: 'unreadable',
      position,
      reason: decoded.reason,
      bytes,
      mark: { batchId: '', appendedAtMs },
    };
  const { batch } = decoded;
  const mark = { batchId: batch.id, appendedAtMs };
  return { kind: 'batch', position, batch, bytes, mark, ...(trace ? { trace } : {}) };
}

/** The NATS client rounds message times, so two reads of one entry may differ by 1 ms. */
export const isSameMark = (a: EntryMark, b: EntryMark): boolean =>
  a.batchId === b.batchId && Math.abs(a.appendedAtMs - b.appendedAtMs) <= 1;

/** How much a shard of the log holds. */
export type LogSize = {
  readonly bytes: number;
  readonly createdAt: string;
  readonly firstPosition: number;
  readonly lastPosition: number;
};
