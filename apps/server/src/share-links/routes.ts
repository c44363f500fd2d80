import { operations, type ShareLink as WireLink, type NewShareLink as WireNewLink } from '@signpost/contract';
import type { Routes } from '../http/routes.ts';
import type { Clock } from '../kernel/clock.ts';
import { formatId, parseId } from '../kernel/ids.ts';
import type { ShareLinks } from './service.ts';
import type { ShareLink } from './share-link.ts';

type Parts = { readonly shareLinks: ShareLinks; readonly clock: Clock; readonly publicUrl: string };

/** The endpoints of share links. Wire names are mapped here and nowhere else. */
export function addShareLinkRoutes(routes: Routes, { shareLinks, clock, publicUrl }: Parts): void {
  const present = (link: ShareLink) => presentLink(link, clock.now());
  const presentNew = ({ link, token }: { link: ShareLink; token: string }): WireNewLink => ({
    ...present(link),
    url: `${publicUrl}/s/${token}`,
  });

  routes.add(operations.createShareLink, async ({ db, caller, body: { tag, ...wanted } }) =>
    presentNew(await shareLinks.create(db, caller, tag, wanted)),
  );

  routes.add(operations.createQrCodeShareLink, async ({ db, caller, params, body }) =>
    presentNew(await shareLinks.createForCode(db, caller, params.id, body)),
  );

  routes.add(operations.listShareLinks, async ({ db, caller, query }) => ({
    data: (await shareLinks.list(db, caller, query)).map(present),
  }));

  routes.add(operations.revokeShareLink, async ({ db, caller, params }) => {
    await shareLinks.revoke(db, caller, parseId('shr', params.id));
    return { revoked: true as const, id: params.id };
  });
}

const presentLink = (link: ShareLink, now: Date): WireLink => ({
  id: formatId('shr', link.id),
  qr_id: link.qrCodeId && formatId('qr', link.qrCodeId),
  tag: link.tag?.name ?? null,
  title: link.title,
  sections: [...link.sections],
  days: link.period.days,
  start_date: link.period.startDate,
  end_date: link.period.endDate,
  timezone: link.period.timezone,
  expires_at: link.expiresAt?.toISOString() ?? null,
  expired: link.expiresAt !== null && link.expiresAt <= now,
  last_four: link.hint,
  created_at: link.createdAt.toISOString(),
});
