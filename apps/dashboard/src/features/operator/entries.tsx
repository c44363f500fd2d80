import { Box, Group, Paper } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './entries.module.css';

type EntriesProps = { readonly label: string; readonly children: ReactNode };

/** A list whose entries are too varied for the columns of a table. */
export function Entries({ label, children }: EntriesProps) {
  return (
    <Paper withBorder component="ul" className={classes.entries} aria-label={label}>
      {children}
    </Paper>
  );
}

type EntryProps = { readonly children: ReactNode; readonly actions?: ReactNode };

/** What it is, with what can be done about it to the right, or below where there is no room. */
export function Entry({ children, actions }: EntryProps) {
  return (
    <li className={classes.entry}>
      <Box className={classes.what}>{children}</Box>
      {actions && <Group gap="xs">{actions}</Group>}
    </li>
  );
}
