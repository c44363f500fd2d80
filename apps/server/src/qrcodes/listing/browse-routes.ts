import { accountOperations } from '@signpost/contract';
import type { Routes } from '../../http/routes.ts';
import type { Clock } from '../../kernel/clock.ts';
import { formatId, parseId } from '../../kernel/ids.ts';
import { presentPage } from '../../kernel/page.ts';
import type { Share } from '../../limits/shares/share.ts';
import { getAvailability } from '../availability.ts';
import { codeFile } from '../code-file.ts';
import {
  type Links,
  presentAvailability,
  presentCodePage,
  presentListItem,
  presentOrganised,
} from '../present.ts';
import type { QrCodes } from '../service.ts';
import type { Sort } from './filter.ts';
import { toFilter } from './query.ts';
import type { Sparklines } from './sparklines.ts';

type Parts = {
  readonly qrcodes: QrCodes;
  readonly links: Links;
  readonly sparklines: Sparklines;
  readonly exports: Share;
  readonly clock: Clock;
};

/** What people expect of each: the newest, the most scanned, and names from A to Z. */
const browsingSorts: Readonly<Record<Sort['by'], Sort>> = {
  created: { by: 'created', direction: 'desc' },
  name: { by: 'name', direction: 'asc' },
  scans: { by: 'scans', direction: 'desc' },
};

/** Codes as the dashboard lists them, and their history. */
export function addBrowseRoutes(routes: Routes, { qrcodes, links, sparklines, exports, clock }: Parts): void {
  routes.add(accountOperations.browseQrCodes, async ({ db, caller, query }) => {
    const page = { page: query.page ?? 1, limit: query.limit ?? 20 };
    const now = clock.now();
    const found = await qrcodes.browse(
      db,
      caller,
      toFilter(query, now),
      browsingSorts[query.sort ?? 'created'],
      page,
    );
    const ids = found.items.map(({ id }) => id);
    const [lines, rules] = await Promise.all([sparklines.forCodes(caller, ids), qrcodes.ruleCounts(db, ids)]);
    return {
      data: found.items.map(code => ({
        ...presentListItem(code, links),
        ...presentOrganised(code),
        short_code: code.shortCode,
        image_url: `${links.imageBaseUrl}/${formatId('qr', code.id)}/public`,
        archived: code.archived,
        style: code.style,
        unique_scans: code.uniqueScans,
        updated_at: code.updatedAt.toISOString(),
        availability: presentAvailability(getAvailability(code, caller, now)),
        rule_count: rules.get(code.id) ?? 0,
        sparkline: lines ? [...(lines.get(code.id) ?? [])] : null,
      })),
      pagination: presentCodePage(found),
    };
  });

  routes.addStream(accountOperations.exportQrCodes, async ({ db, caller, query }) => {
    const now = clock.now();
    const filter = toFilter(query, now);
    const day = now.toISOString().slice(0, 10);
    return {
      type: codeFile.type,
      headers: { 'content-disposition': `attachment; filename="codes-${day}.csv"` },
      async *content(signal) {
        const slot = await exports.take(caller.accountId, { signal });
        try {
          yield codeFile.head();
          for await (const codes of qrcodes.walk(db, caller, filter)) {
            signal.throwIfAborted();
            yield codeFile.chunk(codes, links);
          }
        } finally {
          slot.release();
        }
      },
    };
  });

  routes.add(accountOperations.getHistory, async ({ db, caller, params, query }) => {
    const page = { page: query.page ?? 1, limit: query.limit ?? 20 };
    const found = await qrcodes.history(db, caller, parseId('qr', params.id), page);
    return {
      data: found.items.map(({ id, at, by, field, from, to }) => ({
        id: formatId('edit', id),
        at: at.toISOString(),
        by,
        field,
        from,
        to,
      })),
      pagination: presentPage(found),
    };
  });
}
