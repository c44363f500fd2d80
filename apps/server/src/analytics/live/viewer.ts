import type { Uuid } from '../../kernel/ids.ts';
import { type Cursor, formatCursor, isAfter, logStart } from '../../scans/log/log-cursor.ts';
import type { LoggedScan } from '../../scans/stores/scan-queries.ts';
import type { Watched } from '../horizon.ts';

/** An open stream of live scans. */
export type Viewer = Watched & {
  readonly userId: Uuid;
  readonly sessionId: Uuid;
  /** Limits it to scans of this code. */
  readonly qrCodeId: Uuid | null;
  cursor(): Cursor;
  /** Sends those of these scans that it has not been sent and that it shows. */
  send(scans: readonly LoggedScan[]): void;
  /** Moves the cursor: there is nothing to send up to here. */
  skipTo(cursor: Cursor): void;
  sendEvent(event: 'ready' | 'gap'): void;
  /** Keeps the connection open and the client's cursor recent. */
  sendHeartbeat(): void;
  end(): void;
};

type Parts = Watched &
  Pick<Viewer, 'userId' | 'sessionId' | 'qrCodeId'> & {
    readonly from: Cursor;
    readonly write: (text: string) => void;
    readonly close: () => void;
    readonly present: (scan: LoggedScan) => object;
  };

export function createViewer({ from, write, close, present, ...identity }: Parts): Viewer {
  let cursor = new Map(from);
  const event = (name: string, data: object) =>
    `id: ${formatCursor(cursor)}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  return {
    ...identity,
    cursor: () => cursor,
    send(scans) {
      let text = '';
      for (const scan of scans) {
        if (!isAfter(scan, cursor.get(scan.shard) ?? logStart)) continue;
        cursor.set(scan.shard, { log: scan.log, position: scan.position, index: scan.index });
        if (identity.qrCodeId === null || identity.qrCodeId === scan.qrCodeId)
          text += event('scan', present(scan));
      }
      if (text !== '') write(text);
    },
    skipTo(to) {
      cursor = new Map(cursor);
      for (const [shard, position] of to)
        if (isAfter(position, cursor.get(shard) ?? logStart)) cursor.set(shard, position);
    },
    sendEvent: name => write(event(name, {})),
    // An id without data updates the browser's Last-Event-ID and dispatches no event.
    sendHeartbeat: () => write(`: beat\nid: ${formatCursor(cursor)}\n\n`),
    end: close,
  };
}
