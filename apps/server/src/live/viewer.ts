import type { Uuid } from '../kernel/ids.ts';
import { type Cursor, formatCursor, isAfter, start } from './cursor.ts';
import type { LiveScan } from './live-scan.ts';
import type { Watched } from './store.ts';

/** Somebody who looks on. */
export type Viewer = Watched & {
  readonly userId: Uuid;
  readonly sessionId: Uuid;
  /** Only scans of this code. */
  readonly qrCodeId: Uuid | null;
  cursor(): Cursor;
  /** Sends those scans that this viewer has not been sent and wants to see. */
  show(scans: readonly LiveScan[]): void;
  /** Notes that there is nothing to see up to here. */
  pass(cursor: Cursor): void;
  tell(event: 'ready' | 'gap'): void;
  /** Keeps the connection, and the cursor with it, from growing old. */
  beat(): void;
  end(): void;
};

type Parts = Watched &
  Pick<Viewer, 'userId' | 'sessionId' | 'qrCodeId'> & {
    readonly from: Cursor;
    readonly write: (text: string) => void;
    readonly close: () => void;
    readonly present: (scan: LiveScan) => object;
  };

export function createViewer({ from, write, close, present, ...who }: Parts): Viewer {
  let cursor = new Map(from);
  const event = (name: string, data: object) =>
    `id: ${formatCursor(cursor)}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  return {
    ...who,
    cursor: () => cursor,
    show(scans) {
      let text = '';
      for (const scan of scans) {
        if (!isAfter(scan, cursor.get(scan.shard) ?? start)) continue;
        cursor.set(scan.shard, { log: scan.log, position: scan.position, place: scan.place });
        if (who.qrCodeId === null || who.qrCodeId === scan.qrCodeId) text += event('scan', present(scan));
      }
      if (text !== '') write(text);
    },
    pass(to) {
      cursor = new Map(cursor);
      for (const [shard, place] of to)
        if (isAfter(place, cursor.get(shard) ?? start)) cursor.set(shard, place);
    },
    tell: name => write(event(name, {})),
    // An id without data moves the browser's Last-Event-ID and shows nothing.
    beat: () => write(`: beat\nid: ${formatCursor(cursor)}\n\n`),
    end: close,
  };
}
