import { AppShell, Box, Burger, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useMode } from '../../api/mode.ts';
import { shellText } from '../../strings/shell.ts';
import { AccountMenu } from './account-menu.tsx';
import { Brand } from './brand.tsx';
import { BusyBar } from './busy-bar.tsx';
import { ConfirmEmail } from './confirm-email.tsx';
import { Navigation } from './navigation.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { SearchButton } from './search-button.tsx';
import classes from './shell.module.css';
import { Shortcuts } from './shortcuts.tsx';
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
        {shellText.skip}
      </a>
      <BusyBar />
      <AppShell
        header={{ height: mode === 'test' ? 92 : 56 }}
        navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !opened } }}
        padding={{ base: 'md', sm: 'xl' }}
      >
        <AppShell.Header>
          {mode === 'test' && <TestBanner />}
          <Group h={56} px={{ base: 'sm', sm: 'lg' }} justify="space-between" wrap="nowrap" gap="xs">
            <Group gap="xs" wrap="nowrap">
              <Burger
                opened={opened}
                onClick={toggle}
                hiddenFrom="sm"
                size="sm"
                aria-label={opened ? shellText.closeMenu : shellText.openMenu}
                aria-expanded={opened}
              />
              <Brand />
            </Group>
            <Group gap="xs" wrap="nowrap">
              <SearchButton />
              <AccountMenu />
            </Group>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar p="md" style={{ overflowY: 'auto' }}>
          <Navigation onChoice={close} />
        </AppShell.Navbar>
        <AppShell.Main id="content" tabIndex={-1}>
          <OfflineBanner />
          <Box maw={1160} mx="auto">
            <SuspendedAccount />
            <ConfirmEmail />
            {/* What one mode has loaded is never shown in the other, so the page starts over. */}
            <Outlet key={mode} />
          </Box>
        </AppShell.Main>
      </AppShell>
      <Shortcuts />
    </Box>
  );
}
