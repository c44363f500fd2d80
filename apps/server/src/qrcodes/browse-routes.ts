import { accountOperations } from '@signpost/contract';
import type { Routes } from '../http/routes.ts';
import { formatId, parseId } from '../kernel/ids.ts';
import { presentPage } from '../kernel/page.ts';
import { availabilityOf } from './availability.ts';
import { type Links, presentAvailability, presentListItem } from './routes.ts';
import type { QrCodes } from './service.ts';
import type { Sparklines } from './sparklines.ts';

type Parts = { readonly qrcodes: QrCodes; readonly links: Links; readonly sparklines: Sparklines };

/** Codes as the dashboard lists them, and their history. */
export function addBrowseRoutes(routes: Routes, { qrcodes, links, sparklines }: Parts): void {
  routes.add(accountOperations.browseQrCodes, async ({ db, caller, query }) => {
    const page = { page: query.page ?? 1, limit: query.limit ?? 20 };
    const { status = null, search = null, sort = 'created' } = query;
    const found = await qrcodes.browse(db, caller, page, { status, search, sort });
    const lines = await sparklines.forCodes(
      caller,
      found.items.map(({ id }) => id),
    );
    return {
      data: found.items.map(code => ({
        ...presentListItem(code, links),
        short_code: code.shortCode,
        image_url: `${links.imageBaseUrl}/${formatId('qr', code.id)}/public`,
        style: code.style,
        unique_scans: code.uniqueScans,
        updated_at: code.updatedAt.toISOString(),
        availability: presentAvailability(availabilityOf(code, caller)),
        sparkline: lines ? [...(lines.get(code.id) ?? [])] : null,
      })),
      pagination: presentPage(found),
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
