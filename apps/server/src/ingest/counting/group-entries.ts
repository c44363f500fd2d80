import { decodeBatch } from '../../scans/log/format/batch.ts';
import { type CheckedEntry, UnknownLayout } from '../ingest.ts';

const headerBytes = 6 + 4;

/** The entries of a group that have scans, as stored in the log, each prefixed with its position and length. */
export function packEntries(entries: readonly CheckedEntry[]): Buffer {
  return Buffer.concat(
    entries
      .filter(({ batch }) => batch.scans.length > 0)
      .flatMap(({ position, bytes }) => {
        const header = Buffer.allocUnsafe(headerBytes);
        header.writeUIntBE(position, 0, 6);
        header.writeUInt32BE(bytes.length, 6);
        return [header, bytes];
      }),
  );
}

/** The inverse. The entries were validated before they were counted, though perhaps by a newer version. */
export function unpackEntries(packed: Buffer): CheckedEntry[] {
  const entries: CheckedEntry[] = [];
  for (let at = 0; at < packed.length; ) {
    const position = packed.readUIntBE(at, 6);
    const start = at + headerBytes;
    const end = start + packed.readUInt32BE(at + 6);
    const bytes = packed.subarray(start, end);
    const decoded = decodeBatch(bytes);
    if (!decoded.ok && decoded.reason === 'unknown_version') throw new UnknownLayout(position, bytes[0]);
    if (!decoded.ok) throw new Error(`The entry at position ${position} cannot be read: ${decoded.reason}`);
    entries.push({ position, batch: decoded.batch, bytes, mark: null, fault: null, missing: 0 });
    at = end;
  }
  return entries;
}
