import { ActionIcon, Menu, Text, useMantineColorScheme } from '@mantine/core';
import {
  IconDeviceDesktop,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconSettings,
  IconSun,
  IconUserCircle,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { shellText } from '../../strings/shell.ts';
import { useMe } from './me.ts';
import { openOverlay } from './shortcuts.tsx';
import { useSignOut } from './use-sign-out.ts';

const words = shellText.menu;

const schemes = [
  { value: 'light', label: words.light, icon: IconSun },
  { value: 'dark', label: words.dark, icon: IconMoon },
  { value: 'auto', label: words.auto, icon: IconDeviceDesktop },
] as const;

export function AccountMenu() {
  const { user, account } = useMe();
  const navigate = useNavigate();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();

  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={words.label}>
          <IconUserCircle size={24} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={500} c="var(--mantine-color-text)" truncate>
            {user.name}
          </Text>
          <Text size="xs" truncate>
            {user.email}
          </Text>
        </Menu.Label>
        {account && (
          <Menu.Item
            leftSection={<IconSettings size={16} aria-hidden />}
            onClick={() => void navigate({ to: '/settings/account' })}
          >
            {words.account}
          </Menu.Item>
        )}
        <Menu.Divider />
        {schemes.map(({ value, label, icon: Icon }) => (
          <Menu.Item
            key={value}
            leftSection={<Icon size={16} aria-hidden />}
            onClick={() => setColorScheme(value)}
            fw={colorScheme === value ? 500 : 400}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconKeyboard size={16} aria-hidden />}
          onClick={() => openOverlay('keys')}
          visibleFrom="sm"
        >
          {words.keys}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout size={16} aria-hidden />}
          onClick={() => signOut.mutate()}
          disabled={signOut.isPending}
        >
          {words.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
