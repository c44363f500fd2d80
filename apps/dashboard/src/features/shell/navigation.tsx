import { Badge, NavLink, Stack, Text, VisuallyHidden } from '@mantine/core';
import {
  IconBan,
  IconChartBar,
  IconFlag,
  IconGauge,
  IconKey,
  type IconProps,
  IconQrcode,
  IconSearch,
  IconUser,
  IconWebhook,
  IconWorldOff,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { formatCompact } from '../../ui/format.ts';
import { openAppealsQuery, openReportsQuery } from '../operator/queries.ts';
import { useMe } from './me.ts';

type Place = {
  readonly to: string;
  readonly label: string;
  readonly icon: ComponentType<IconProps>;
  /** What stands at its end, such as a number. */
  readonly aside?: ComponentType;
};

const work: readonly Place[] = [
  { to: '/codes', label: 'Codes', icon: IconQrcode },
  { to: '/analytics', label: 'Analytics', icon: IconChartBar },
];

const settings: readonly Place[] = [
  { to: '/settings/keys', label: 'API keys', icon: IconKey },
  { to: '/settings/webhooks', label: 'Webhooks', icon: IconWebhook },
  { to: '/settings/plan', label: 'Plan and usage', icon: IconGauge },
  { to: '/settings/account', label: 'Account', icon: IconUser },
];

const operator: readonly Place[] = [
  { to: '/operator/reports', label: 'Reports', icon: IconFlag, aside: OpenReports },
  { to: '/operator/look-up', label: 'Look up', icon: IconSearch },
  { to: '/operator/suspensions', label: 'Suspensions', icon: IconBan, aside: OpenAppeals },
  { to: '/operator/blocked-hosts', label: 'Blocked hosts', icon: IconWorldOff },
];

/** `onChoice` is called also for the page that is open already: a menu over it has to go then too. */
export function Navigation({ onChoice }: { readonly onChoice: () => void }) {
  const { user } = useMe();
  return (
    <Stack component="nav" aria-label="Main" gap={4}>
      <Places places={work} onChoice={onChoice} />
      <Heading>Settings</Heading>
      <Places places={settings} onChoice={onChoice} />
      {user.is_operator && (
        <>
          <Heading>Operator</Heading>
          <Places places={operator} onChoice={onChoice} />
        </>
      )}
    </Stack>
  );
}

function Heading({ children }: { readonly children: string }) {
  return (
    <Text size="xs" fw={600} c="dimmed" mt="lg" mb={4} px="sm">
      {children}
    </Text>
  );
}

function Places({ places, onChoice }: { readonly places: readonly Place[]; readonly onChoice: () => void }) {
  const { pathname } = useLocation();
  return places.map(({ to, label, icon: Icon, aside: Aside }) => {
    const active = pathname === to || pathname.startsWith(`${to}/`);
    return (
      <NavLink
        key={to}
        component={Link}
        to={to}
        label={label}
        active={active}
        onClick={onChoice}
        aria-current={active ? 'page' : undefined}
        leftSection={<Icon size={18} stroke={1.7} aria-hidden />}
        rightSection={Aside && <Aside />}
        style={{ borderRadius: 8 }}
        fw={active ? 600 : 450}
      />
    );
  });
}

/** How many reports wait for somebody. Nothing where none do. */
function OpenReports() {
  const { data = 0 } = useQuery(openReportsQuery);
  return <Waiting count={data} what="open" />;
}

/** The same for appeals that nobody has answered. */
function OpenAppeals() {
  const { data = 0 } = useQuery(openAppealsQuery);
  return <Waiting count={data} what={data === 1 ? 'appeal' : 'appeals'} />;
}

function Waiting({ count, what }: { readonly count: number; readonly what: string }) {
  if (count === 0) return null;
  return (
    <Badge color="red" variant="light" size="sm" className="figures">
      {formatCompact(count)}
      <VisuallyHidden> {what}</VisuallyHidden>
    </Badge>
  );
}
