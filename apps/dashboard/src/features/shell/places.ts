import {
  IconBan,
  IconBook,
  IconBuilding,
  IconChartBar,
  IconChecklist,
  IconFileImport,
  IconFlag,
  IconGauge,
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
  IconWorldOff,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { shellText } from '../../strings/shell.ts';

/** A page that the navigation and the palette lead to. */
export type Place = {
  readonly to: string;
  readonly label: string;
  readonly icon: ComponentType<IconProps>;
  /** Served by the server and not by the dashboard. */
  readonly isOutside?: boolean;
};

const words = shellText.navigation;

export const work: readonly Place[] = [
  { to: '/codes', label: words.codes, icon: IconQrcode },
  { to: '/codes/import', label: words.import, icon: IconFileImport },
  { to: '/tags', label: words.tags, icon: IconTags },
  { to: '/designs', label: words.designs, icon: IconPalette },
  { to: '/print', label: words.print, icon: IconPrinter },
  { to: '/analytics', label: words.analytics, icon: IconChartBar },
];

export const developers: readonly Place[] = [
  { to: '/settings/keys', label: words.keys, icon: IconKey },
  { to: '/settings/webhooks', label: words.webhooks, icon: IconWebhook },
  { to: '/docs', label: words.docs, icon: IconBook, isOutside: true },
];

/** On a server where nobody can sign up, plans are the business of its operator alone. */
export const settings = (hasPlans: boolean): readonly Place[] => [
  { to: '/settings/account', label: words.account, icon: IconUser },
  ...(hasPlans ? [{ to: '/settings/plan', label: words.plan, icon: IconGauge }] : []),
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

/** The place that a path belongs to: the longest that it begins with. */
export function placeOf(pathname: string, places: readonly Place[]): Place | undefined {
  return places
    .filter(({ to }) => pathname === to || pathname.startsWith(`${to}/`))
    .sort((a, b) => b.to.length - a.to.length)[0];
}
