import { setTimeout as pause } from 'node:timers/promises';
import { isSameMark, type LogEntry } from '../log/format/entry.ts';
import type { KnownLog } from '../log/reader.ts';
import { ScanLogError } from '../log/scan-log-error.ts';
import { entryFrom } from './entries.ts';
import type { LogSegment, Segments } from './segments.ts';

type Options = {
  readonly segments: Segments;
  readonly createdAt: string;
  /** Resolves at the next append. */
  readonly appended: () => Promise<void>;
  readonly afterPosition: number;
  readonly known: KnownLog;
  readonly signal: AbortSignal;
};

/** A reader that is up to date reads this often at most, so that entries that follow at once are read together. */
const lingerMs = 20;

/** Entries after a position, existing and new, until the signal aborts. Only what is on disk is read. */
export async function* readEntries(options: Options): AsyncGenerator<LogEntry, void> {
  const { segments, appended, signal } = options;
  await assertSameLog(options);
  const aborted = new Promise<void>(resolve =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  let position = options.afterPosition;
  let cursor: SegmentCursor | null = null;
  while (!signal.aborted) {
    const more = appended();
    const trimmed = segments.firstPosition() - 1 - position;
    if (trimmed > 0) {
      position += trimmed;
      yield { kind: 'missing', position, count: trimmed };
    }
    const segment = segments.holding(position + 1);
    if (!segment) {
      await Promise.race([more, aborted]);
      await pause(lingerMs, undefined, { signal }).catch(() => undefined);
      continue;
    }
    cursor = toCursor(segment, cursor);
    const last = segment.first + segment.count - 1;
    const records = await segments.recordsAt(segment, cursor.offset);
    if (records.length === 0) throw new Error(`${segment.name} ends before position ${position + 1}`);
    for (const record of records) {
      if (cursor.position === last) break;
      cursor.offset = record.end;
      if (++cursor.position <= position) continue;
      position = cursor.position;
      yield entryFrom(position, record);
      if (signal.aborted) return;
    }
  }
}

/** Where the reader is in a segment: everything up to the position lies before the offset. */
type SegmentCursor = { readonly segment: LogSegment; offset: number; position: number };

const toCursor = (segment: LogSegment, cursor: SegmentCursor | null): SegmentCursor =>
  cursor?.segment === segment ? cursor : { segment, offset: 0, position: segment.first - 1 };

/** Nothing has to be waited for: a log on the disk of this machine is all there, or it is another. */
async function assertSameLog({ segments, createdAt: actual, afterPosition, known }: Options): Promise<void> {
  const { createdAt = actual, mark, extent } = known;
  if (createdAt !== actual)
    throw new ScanLogError('replaced', `The log was created at ${actual}, not at ${createdAt}`);
  const { reached = null, acked = 0 } = (await extent?.()) ?? {};
  const minPosition = Math.max(afterPosition, reached?.position ?? 0, acked);
  const last = segments.lastPosition();
  if (last < minPosition)
    throw new ScanLogError('replaced', `The log ends at ${last}, before ${minPosition}`);
  const found = mark ? await segments.entryAt(afterPosition) : null;
  if (mark && found && found.kind !== 'missing' && !isSameMark(found.mark, mark))
    throw new ScanLogError('replaced', `Another entry is at position ${afterPosition}`);
}
