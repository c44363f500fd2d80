import { NavLink, Stack, Text } from '@mantine/core';
import {
  IconChartBar,
  IconGauge,
  IconKey,
  type IconProps,
  IconQrcode,
  IconUser,
  IconWebhook,
} from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import type { ComponentType } from 'react';

type Place = { readonly to: string; readonly label: string; readonly icon: ComponentType<IconProps> };

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

export function Navigation() {
  return (
    <Stack component="nav" aria-label="Main" gap={4}>
      <Places places={work} />
      <Text size="xs" fw={600} c="dimmed" mt="lg" mb={4} px="sm">
        Settings
      </Text>
      <Places places={settings} />
    </Stack>
  );
}

function Places({ places }: { readonly places: readonly Place[] }) {
  const { pathname } = useLocation();
  return places.map(({ to, label, icon: Icon }) => {
    const active = pathname === to || pathname.startsWith(`${to}/`);
    return (
      <NavLink
        key={to}
        component={Link}
        to={to}
        label={label}
        active={active}
        aria-current={active ? 'page' : undefined}
        leftSection={<Icon size={18} stroke={1.7} aria-hidden />}
        style={{ borderRadius: 8 }}
        fw={active ? 600 : 450}
      />
    );
  });
}
