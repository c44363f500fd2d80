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
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api/operations.ts';
import { noteSignedIn } from '../../api/signed-in.ts';
import { shellText } from '../../strings/shell.ts';
import { notifyProblem } from '../../ui/problem.tsx';
import { useMe } from './me.ts';
import { openOverlay } from './shortcuts.tsx';

const words = shellText.menu;

const schemes = [
  { value: 'light', label: words.light, icon: IconSun },
  { value: 'dark', label: words.dark, icon: IconMoon },
  { value: 'auto', label: words.auto, icon: IconDeviceDesktop },
] as const;

export function AccountMenu() {
  const { user } = useMe();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const signOut = useMutation({
    mutationFn: () => call('signOut', {}),
    onSuccess: async () => {
      noteSignedIn(false);
      await navigate({ to: '/sign-in' });
      client.clear();
    },
    onError: error => notifyProblem(error, words.notSignedOut),
  });

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
        <Menu.Item
          leftSection={<IconSettings size={16} aria-hidden />}
          onClick={() => void navigate({ to: '/settings/account' })}
        >
          {words.account}
        </Menu.Item>
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
