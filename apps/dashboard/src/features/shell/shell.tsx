import { AppShell, Box, Burger, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { useMode } from '../../api/mode.ts';
import { shellText } from '../../strings/shell.ts';
import { SessionEnded } from '../sign-in/session-ended.tsx';
import { AccountMenu } from './account-menu.tsx';
import { AccountSwitcher } from './account-switcher.tsx';
import { Brand } from './brand.tsx';
import { BusyBar } from './busy-bar.tsx';
import { ConfirmEmail } from './confirm-email.tsx';
import { type Account, useMe } from './me.ts';
import { Navigation } from './navigation.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { guardedPlaceOf } from './places.ts';
import { SearchButton } from './search-button.tsx';
import classes from './shell.module.css';
import { Shortcuts } from './shortcuts.tsx';
import { SuspendedAccount } from './suspended-account.tsx';
import { TestBanner } from './test-banner.tsx';
import { useAccountChange } from './use-account-change.ts';

/** Few ever see these, so they are loaded for them alone. */
const NoAccount = lazy(() =>
  import('../accounts/no-account.tsx').then(module => ({ default: module.NoAccount })),
);
const NotAllowed = lazy(() =>
  import('../accounts/not-allowed.tsx').then(module => ({ default: module.NotAllowed })),
);

/** What stays around every page. In test mode all of it wears a striped amber frame. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  const mode = useMode();
  const { user, account } = useMe();
  useAccountChange();
  // Without an account there is one page only, and those of operators.
  const hasPages = account !== null || user.is_operator;
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
        navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !opened, desktop: !hasPages } }}
        padding={{ base: 'md', sm: 'xl' }}
      >
        <AppShell.Header>
          {mode === 'test' && <TestBanner />}
          <Group h={56} px={{ base: 'sm', sm: 'lg' }} justify="space-between" wrap="nowrap" gap="xs">
            <Group gap="xs" wrap="nowrap">
              {hasPages && (
                <Burger
                  opened={opened}
                  onClick={toggle}
                  hiddenFrom="sm"
                  size="sm"
                  aria-label={opened ? shellText.closeMenu : shellText.openMenu}
                  aria-expanded={opened}
                />
              )}
              <Brand />
              <AccountSwitcher />
            </Group>
            <Group gap="xs" wrap="nowrap">
              {hasPages && <SearchButton />}
              <AccountMenu />
            </Group>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar p="md" style={{ overflowY: 'auto' }}>
          <Navigation onChoice={close} />
        </AppShell.Navbar>
        <AppShell.Main id="content" tabIndex={-1}>
          <OfflineBanner />
          <Box className={classes.content} mx="auto">
            <SuspendedAccount />
            <ConfirmEmail />
            {/* What was loaded in one account or mode is never shown in another, so the page starts over. */}
            <Content key={`${account?.id} ${mode}`} pathname={pathname} account={account} />
          </Box>
        </AppShell.Main>
      </AppShell>
      {hasPages && <Shortcuts />}
      <SessionEnded />
    </Box>
  );
}

type ContentProps = { readonly pathname: string; readonly account: Account | null };

/** The page, where this person may see it. */
function Content({ pathname, account }: ContentProps) {
  if (!account && !pathname.startsWith('/operator'))
    return (
      <Suspense>
        <NoAccount />
      </Suspense>
    );
  const place = guardedPlaceOf(pathname);
  if (!account || !place || account.permissions.includes(place.needs)) return <Outlet />;
  return (
    <Suspense>
      <NotAllowed title={place.title ?? place.label} needs={place.needs} />
    </Suspense>
  );
}
