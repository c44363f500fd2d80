import { Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconSelector } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { shellText } from '../../strings/shell.ts';
import { Wait } from '../../ui/wait.tsx';
import classes from './account-switcher.module.css';
import { useMe } from './me.ts';

/** Loaded when the menu is opened for the first time. */
const AccountList = lazy(() =>
  import('../accounts/account-list.tsx').then(module => ({ default: module.AccountList })),
);

/** The account that this tab looks at, and the way to another. Who has one only sees its name. */
export function AccountSwitcher() {
  const { account, accounts } = useMe();
  const [opened, setOpened] = useState(false);
  if (!account) return null;
  return (
    <>
      <span className={classes.rule} aria-hidden />
      <Menu position="bottom-start" width={300} opened={opened} onChange={setOpened}>
        <Menu.Target>
          <UnstyledButton className={classes.button}>
            <VisuallyHidden>{shellText.accounts.label}</VisuallyHidden>
            <span className={classes.words}>
              <Text size="sm" fw={500} truncate title={account.name}>
                {account.name}
              </Text>
              {accounts.length > 1 && (
                <Text size="xs" c="dimmed" lh={1.2}>
                  {shellText.roles[account.role]}
                </Text>
              )}
            </span>
            <IconSelector size={16} stroke={1.7} style={{ flex: 'none' }} aria-hidden />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          {opened && (
            <Suspense fallback={<Wait lines={2} height={36} />}>
              <AccountList />
            </Suspense>
          )}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
