import { accountOperations } from '@signpost/contract';
import type { Call, Routes } from '../../http/routes.ts';
import type { Caller } from '../../kernel/caller.ts';
import { parseId, type Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { parseCursor } from '../../scans/log/log-cursor.ts';
import { presentAccountScan } from '../analytics.ts';
import type { Feed } from './feed.ts';
import { createViewer } from './viewer.ts';

type Parts = {
  readonly feed: Feed;
  /** Throws where the caller has no such code. */
  readonly codes: {
    get(on: Database, caller: Caller, id: Uuid | null): Promise<{ readonly id: Uuid }>;
  };
};

/** A client that reads more slowly than this is disconnected, and resumes where it stopped. */
const maxUnsentBytes = 512 * 1024;

/** New scans as server-sent events. */
export function addLiveRoutes(routes: Routes, { feed, codes }: Parts): void {
  routes.addEvents(accountOperations.liveScans, async call => {
    const { db, caller, person, query, raw } = call;
    const qrCodeId =
      query.qr_id === undefined ? null : (await codes.get(db, caller, parseId('qr', query.qr_id))).id;
    // A stream has no end to wait for: HEAD gets the headers.
    if (raw.request.method === 'HEAD') return void raw.reply.headers(streamHeaders).send();
    const from = readCursor(call) ?? (await feed.now());
    const response = raw.reply.raw;
    let open = false;
    const viewer = createViewer({
      ...person,
      accountId: caller.accountId,
      mode: caller.mode,
      qrCodeId,
      from,
      present: presentAccountScan,
      write(text) {
        if (!open) {
          open = true;
          raw.reply.hijack();
          response.writeHead(200, { ...asHeaders(raw.reply.getHeaders()), ...streamHeaders });
        }
        response.write(text);
        if (response.writableLength > maxUnsentBytes) response.destroy();
      },
      close: () => response.end(),
    });
    response.on('close', () => feed.remove(viewer));
    await feed.add(viewer);
  });
}

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // A proxy that buffers would hold a scan back until there are many.
  'x-accel-buffering': 'no',
};

const asHeaders = (headers: Record<string, unknown>) => headers as Record<string, string | string[]>;

type LiveCall = Call<typeof accountOperations.liveScans>;

function readCursor({ query, raw: { request } }: LiveCall) {
  const given = request.headers['last-event-id'] ?? query.last_event_id;
  return given === undefined ? null : parseCursor(String(given));
}
