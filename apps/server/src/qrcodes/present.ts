import type { QrCodeListItem, Placement as WirePlacement, QrCode as WireQrCode } from '@signpost/contract';
import { gradeStyle, logoBudget, logoPlanFor, type Style } from '@signpost/qr';
import type { LinkNames } from '../kernel/addresses/link-names.ts';
import type { Standing } from '../kernel/caller.ts';
import { formatId } from '../kernel/ids.ts';
import { presentPage } from '../kernel/page.ts';
import { toEtag } from '../kernel/precondition.ts';
import { presentRouting, presentRules } from '../rules/wire.ts';
import { type Availability, getAvailability } from './availability.ts';
import type { CodePage } from './listing/list.ts';
import type { Placement } from './placements/placement.ts';
import type { QrCode } from './qr-code.ts';

export type Links = {
  readonly names: LinkNames;
  readonly imageBaseUrl: string;
  readonly publicUrl: string;
};

/** Has the response name the state of the code, for the If-Match of a later change. */
export function withEtag<Code extends Pick<QrCode, 'revision'>>(
  { raw }: { readonly raw: { readonly reply: { header(name: string, value: string): unknown } } },
  code: Code,
): Code {
  raw.reply.header('etag', toEtag(code.revision));
  return code;
}

export function presentCode(code: QrCode, owner: Standing, links: Links, now: Date): WireQrCode {
  const id = formatId('qr', code.id);
  const { level, reasons } = gradeStyle(code.style);
  const shortUrl = links.names.toUrl(code);
  return {
    id,
    name: code.name,
    destination_url: code.destinationUrl,
    short_code: code.shortCode,
    short_url: shortUrl,
    domain: code.domain,
    image_url: `${links.imageBaseUrl}/${id}/public`,
    status: code.status,
    active: code.status === 'active',
    archived: code.archived,
    total_scans: code.totalScans,
    unique_scans: code.uniqueScans,
    created_at: code.createdAt.toISOString(),
    updated_at: code.updatedAt.toISOString(),
    style: code.style,
    scannability: { level, reasons: [...reasons], ...presentLogo(code.style, shortUrl) },
    availability: presentAvailability(getAvailability(code, owner, now)),
    ...presentOrganised(code),
    ...presentRouting(code.routing),
    revision: code.revision,
    placements: code.placements.map(placement => presentPlacement(placement, shortUrl)),
  };
}

/** What the logo of a style costs, where it has one. */
function presentLogo({ logo, compact }: Style, shortUrl: string): Pick<WireQrCode['scannability'], 'logo'> {
  const plan = logo && logoPlanFor(shortUrl, logo, compact);
  if (!plan) return {};
  const { touched, correctable } = plan.use;
  const used = Math.round((100 * touched) / correctable) / 100;
  return { logo: { modules: plan.hole.modules, of: 4 * plan.version + 17, used, budget: logoBudget } };
}

export const presentPlacement = (
  { key, name, note, createdAt }: Placement,
  shortUrl: string,
): WirePlacement => ({
  key,
  name,
  note,
  short_url: `${shortUrl}.${key}`,
  created_at: createdAt.toISOString(),
});

export const presentOrganised = (code: QrCode) => ({
  tags: [...code.tags],
  note: code.note,
  external_id: code.externalId,
  metadata: { ...code.metadata },
});

export const presentAvailability = ({ state, since, reason }: Availability): WireQrCode['availability'] => ({
  state,
  since: since?.toISOString() ?? null,
  reason,
});

/** The fields that a list always has, and those that are asked for. */
export function presentListItem(
  code: QrCode,
  links: Links,
  include: readonly string[] = [],
  availability: Availability | null = null,
): QrCodeListItem {
  const shortUrl = links.names.toUrl(code);
  const more = {
    ...presentOrganised(code),
    short_code: code.shortCode,
    domain: code.domain,
    archived: code.archived,
    unique_scans: code.uniqueScans,
    updated_at: code.updatedAt.toISOString(),
    ...(availability ? { availability: presentAvailability(availability) } : {}),
    style: code.style,
    ...(include.includes('rules') ? { rules: presentRules(code.routing.rules) } : {}),
    ...(include.includes('placements')
      ? { placements: code.placements.map(placement => presentPlacement(placement, shortUrl)) }
      : {}),
  };
  return {
    id: formatId('qr', code.id),
    name: code.name,
    destination_url: code.destinationUrl,
    short_url: shortUrl,
    status: code.status,
    total_scans: code.totalScans,
    created_at: code.createdAt.toISOString(),
    ...Object.fromEntries(Object.entries(more).filter(([name]) => include.includes(name))),
  };
}

export const presentCodePage = (found: CodePage) => ({
  ...presentPage(found),
  has_more: found.hasMore,
  ...(found.capped ? { capped: true as const } : {}),
});
