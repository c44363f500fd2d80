import { ActionIcon, Menu, Text, useMantineColorScheme } from '@mantine/core';
import {
  IconDeviceDesktop,
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
import { notifyProblem } from '../../ui/problem.tsx';
import { useMe } from './me.ts';

const schemes = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'auto', label: 'As the system', icon: IconDeviceDesktop },
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
    onError: error => notifyProblem(error, 'You could not be signed out'),
  });

  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Account menu">
          <IconUserCircle size={24} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate>
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
          Account and password
        </Menu.Item>
        <Menu.Divider />
        {schemes.map(({ value, label, icon: Icon }) => (
          <Menu.Item
            key={value}
            leftSection={<Icon size={16} aria-hidden />}
            onClick={() => setColorScheme(value)}
            fw={colorScheme === value ? 650 : 400}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLogout size={16} aria-hidden />}
          onClick={() => signOut.mutate()}
          disabled={signOut.isPending}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
