import { openBatch } from '../scans/batch.ts';
import { type CheckedEntry, UnknownLayout } from './ingest.ts';

const headBytes = 6 + 4;

/** The entries of a group that have scans, as they lie in the log, each with its position and length in front. */
export function packEntries(entries: readonly CheckedEntry[]): Buffer {
  return Buffer.concat(
    entries
      .filter(({ batch }) => batch.scans.length > 0)
      .flatMap(({ position, bytes }) => {
        const head = Buffer.allocUnsafe(headBytes);
        head.writeUIntBE(position, 0, 6);
        head.writeUInt32BE(bytes.length, 6);
        return [head, bytes];
      }),
  );
}

/** The other way round. They were checked before they were counted, though perhaps by a newer version. */
export function unpackEntries(packed: Buffer): CheckedEntry[] {
  const entries: CheckedEntry[] = [];
  for (let at = 0; at < packed.length; ) {
    const position = packed.readUIntBE(at, 6);
    const start = at + headBytes;
    const end = start + packed.readUInt32BE(at + 6);
    const bytes = packed.subarray(start, end);
    const opened = openBatch(bytes);
    if (!opened.ok && opened.reason === 'unknown_version') throw new UnknownLayout(position, bytes[0]);
    if (!opened.ok) throw new Error(`The entry at position ${position} cannot be read: ${opened.reason}`);
    entries.push({ position, batch: opened.batch, bytes, mark: null, fault: null, missing: 0 });
    at = end;
  }
  return entries;
}
