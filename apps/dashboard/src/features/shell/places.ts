import type { RolePermission } from '@signpost/contract';
import {
  IconAdjustments,
  IconBan,
  IconBook,
  IconBuilding,
  IconChartBar,
  IconChecklist,
  IconFileImport,
  IconFlag,
  IconGauge,
  IconHistory,
  IconKey,
  IconPalette,
  IconPrinter,
  type IconProps,
  IconQrcode,
  IconSearch,
  IconStack2,
  IconTags,
  IconUser,
  IconUsers,
  IconWebhook,
  IconWorld,
  IconWorldOff,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { shellText } from '../../strings/shell.ts';

/** A page that the navigation and the palette lead to. */
export type Place = {
  readonly to: string;
  readonly label: string;
  /** Of the page, where the navigation has a shorter word. */
  readonly title?: string;
  readonly icon: ComponentType<IconProps>;
  /** Served by the server and not by the dashboard. */
  readonly isOutside?: boolean;
  /** What a person needs the permission for; everybody may see the others. */
  readonly needs?: RolePermission;
};

const words = shellText.navigation;

export const work: readonly Place[] = [
  { to: '/codes', label: words.codes, icon: IconQrcode },
  {
    to: '/codes/import',
    label: words.import,
    title: words.importCodes,
    icon: IconFileImport,
    needs: 'qrcodes:write',
  },
  { to: '/tags', label: words.tags, icon: IconTags },
  { to: '/designs', label: words.designs, icon: IconPalette },
  { to: '/print', label: words.print, icon: IconPrinter },
  { to: '/analytics', label: words.analytics, icon: IconChartBar },
];

export const developers: readonly Place[] = [
  { to: '/settings/keys', label: words.keys, icon: IconKey, needs: 'account:manage' },
  { to: '/settings/webhooks', label: words.webhooks, icon: IconWebhook, needs: 'webhooks:read' },
  { to: '/docs', label: words.docs, icon: IconBook, isOutside: true },
];

/** On a server where nobody can sign up, plans are the business of its operator alone. */
export const settings = (hasPlans: boolean): readonly Place[] => [
  { to: '/settings/general', label: words.general, icon: IconAdjustments },
  { to: '/settings/domains', label: words.domains, icon: IconWorld },
  { to: '/settings/people', label: words.people, icon: IconUsers, needs: 'account:manage' },
  { to: '/settings/activity', label: words.activity, icon: IconHistory, needs: 'audit:read' },
  ...(hasPlans ? [{ to: '/settings/plan', label: words.plan, icon: IconGauge }] : []),
  { to: '/settings/account', label: words.account, icon: IconUser },
];

export const operator: readonly Place[] = [
  { to: '/operator/reports', label: words.reports, icon: IconFlag },
  { to: '/operator/look-up', label: words.lookUp, icon: IconSearch },
  { to: '/operator/people', label: words.people, icon: IconUsers },
  { to: '/operator/accounts', label: words.accounts, icon: IconBuilding },
  { to: '/operator/plans', label: words.plans, icon: IconStack2 },
  { to: '/operator/suspensions', label: words.suspensions, icon: IconBan },
  { to: '/operator/blocked-hosts', label: words.blockedHosts, icon: IconWorldOff },
  { to: '/operator/setup', label: words.setup, icon: IconChecklist },
];

/** Pages that the navigation does not lead to. */
const others: readonly Place[] = [
  { to: '/codes/new', label: words.newCode, icon: IconQrcode, needs: 'qrcodes:write' },
  { to: '/designs/new', label: words.newDesign, icon: IconPalette, needs: 'designs:write' },
];

/** The place that a path belongs to, where not everybody may see it. */
export function guardedPlaceOf(pathname: string): (Place & { readonly needs: RolePermission }) | undefined {
  const place = placeOf(pathname, [...work, ...developers, ...settings(true), ...others]);
  return place?.needs ? { ...place, needs: place.needs } : undefined;
}

/** Those that a role may see. */
export const permitted = (
  places: readonly Place[],
  permissions: readonly RolePermission[],
): readonly Place[] => places.filter(({ needs }) => needs === undefined || permissions.includes(needs));

/** The place that a path belongs to: the longest that it begins with. */
export function placeOf(pathname: string, places: readonly Place[]): Place | undefined {
  return places
    .filter(({ to }) => pathname === to || pathname.startsWith(`${to}/`))
    .sort((a, b) => b.to.length - a.to.length)[0];
}
