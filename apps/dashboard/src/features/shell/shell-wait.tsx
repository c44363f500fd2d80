import { AppShell, Box, Burger, Group } from '@mantine/core';
import { shellText } from '../../strings/shell.ts';
import { Brand } from './brand.tsx';
import { PageWait } from './page-wait.tsx';
import classes from './shell.module.css';

/** The frame while it is not known yet who is signed in: everything is where it will be. */
export function ShellWait() {
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: true } }}
      padding={{ base: 'md', sm: 'xl' }}
    >
      <AppShell.Header>
        <Group h={56} px={{ base: 'sm', sm: 'lg' }} gap="xs" wrap="nowrap">
          <Burger hiddenFrom="sm" size="sm" disabled aria-label={shellText.openMenu} />
          <Brand />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar />
      <AppShell.Main>
        <Box className={classes.content} mx="auto">
          <PageWait />
        </Box>
      </AppShell.Main>
    </AppShell>
  );
}
