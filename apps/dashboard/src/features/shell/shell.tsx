import { AppShell, Box, Burger, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useMode } from '../../api/mode.ts';
import { AccountMenu } from './account-menu.tsx';
import { Brand } from './brand.tsx';
import { BusyBar } from './busy-bar.tsx';
import { ConfirmEmail } from './confirm-email.tsx';
import { ModeSwitch } from './mode-switch.tsx';
import { Navigation } from './navigation.tsx';
import classes from './shell.module.css';
import { SuspendedAccount } from './suspended-account.tsx';
import { TestBanner } from './test-banner.tsx';
import { useSessionEnd } from './use-session-end.ts';

/** What stays around every page. In test mode all of it wears a striped amber frame. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  const mode = useMode();
  useSessionEnd();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu of a phone closes whenever the page changes.
  useEffect(close, [pathname]);

  return (
    <Box className={classes.place} data-mode={mode}>
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <BusyBar />
      <AppShell
        header={{ height: mode === 'test' ? 100 : 64 }}
        navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !opened } }}
        padding={{ base: 'md', sm: 'xl' }}
      >
        <AppShell.Header>
          {mode === 'test' && <TestBanner />}
          <Group h={64} px={{ base: 'sm', sm: 'lg' }} justify="space-between" wrap="nowrap" gap="xs">
            <Group gap="xs" wrap="nowrap">
              <Burger
                opened={opened}
                onClick={toggle}
                hiddenFrom="sm"
                size="sm"
                aria-label={opened ? 'Close menu' : 'Open menu'}
                aria-expanded={opened}
              />
              <Brand />
            </Group>
            <Group gap="xs" wrap="nowrap">
              <ModeSwitch />
              <AccountMenu />
            </Group>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar p="md" style={{ overflowY: 'auto' }}>
          <Navigation onChoice={close} />
        </AppShell.Navbar>
        <AppShell.Main id="content" tabIndex={-1}>
          <Box maw={1160} mx="auto">
            <SuspendedAccount />
            <ConfirmEmail />
            <Outlet />
          </Box>
        </AppShell.Main>
      </AppShell>
    </Box>
  );
}
