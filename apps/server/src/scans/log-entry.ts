import { openBatch, type UnreadableReason } from './batch.ts';
import type { ScanBatch } from './scan.ts';

/** Every position of the log is accounted for: as a batch, as bytes that cannot be read, or as missing. */
export type LogEntry =
  | {
      readonly kind: 'batch';
      readonly position: number;
      readonly batch: ScanBatch;
      /** The `traceparent` of the append, where it was traced. */
      readonly trace?: string;
    }
  | { readonly kind: 'unreadable'; readonly position: number; readonly reason: UnreadableReason }
  /** `count` entries up to and with `position` are gone, trimmed before they were read. */
  | { readonly kind: 'missing'; readonly position: number; readonly count: number };

export function entryOf(position: number, bytes: Uint8Array, trace?: string): LogEntry {
  const opened = openBatch(bytes);
  return opened.ok
    ? { kind: 'batch', position, batch: opened.batch, ...(trace ? { trace } : {}) }
    : { kind: 'unreadable', position, reason: opened.reason };
}
