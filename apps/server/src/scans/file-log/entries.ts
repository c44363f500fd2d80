import { timeOfUuid } from '../../kernel/ids.ts';
import { encodedFrom } from '../log/format/batch.ts';
import { decodeEntry, type LogEntry } from '../log/format/entry.ts';

/** A record of a segment, and where the next one begins. */
export type SegmentRecord = { readonly bytes: Buffer; readonly isIntact: boolean; readonly end: number };

/** The entry of a record. Its time is that of its batch: the file has no other, and needs none. */
export function entryFrom(position: number, { bytes, isIntact }: SegmentRecord): LogEntry {
  if (!isIntact)
    return {
      kind: 'unreadable',
      position,
      reason: 'bad_value',
      bytes,
      mark: { batchId: '', appendedAtMs: 0 },
    };
  const encoded = encodedFrom(bytes);
  return decodeEntry(position, bytes, typeof encoded === 'string' ? 0 : timeOfUuid(encoded.id));
}
