import { Group, Menu, ScrollArea, Text } from '@mantine/core';
import type { OwnAccountItem } from '@signpost/contract';
import { IconAdjustments, IconCheck, IconPlus, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { peopleText } from '../../strings/people.ts';
import { shellText } from '../../strings/shell.ts';
import { useAccount, useMe } from '../shell/me.ts';
import { useEnterAccount } from '../shell/use-enter-account.ts';
import { useRoleRefusal } from '../shell/use-refusal.ts';
import { openNewAccount } from './open-new-account.ts';
import { ownAccountsQuery } from './queries.ts';

const text = peopleText.accounts;
const icon = { size: 16, 'aria-hidden': true } as const;

/** What the account's name in the header opens: other accounts where there are any, and what belongs to this one. */
export function AccountList() {
  const { accounts } = useMe();
  const navigate = useNavigate();
  const enter = useEnterAccount();
  const { data } = useQuery(ownAccountsQuery);
  const seesPeople = useRoleRefusal('account:manage') === undefined;
  const scansOf = new Map(data?.data.map(({ id, scans }) => [id, scans]));
  return (
    <>
      {accounts.length > 1 && (
        <>
          <Menu.Label>{text.title}</Menu.Label>
          <ScrollArea.Autosize mah="min(50vh, 360px)" type="auto">
            {accounts.map(account => (
              <AccountItem
                key={account.id}
                account={{ ...account, scans: scansOf.get(account.id) ?? null }}
              />
            ))}
          </ScrollArea.Autosize>
          <Menu.Divider />
        </>
      )}
      <Menu.Item
        leftSection={<IconAdjustments {...icon} />}
        onClick={() => void navigate({ to: '/settings/general' })}
      >
        {text.settings}
      </Menu.Item>
      {seesPeople && (
        <Menu.Item
          leftSection={<IconUsers {...icon} />}
          onClick={() => void navigate({ to: '/settings/people' })}
        >
          {text.people}
        </Menu.Item>
      )}
      {data?.can_create && (
        <Menu.Item leftSection={<IconPlus {...icon} />} onClick={() => void openNewAccount(enter)}>
          {text.new}
        </Menu.Item>
      )}
    </>
  );
}

function AccountItem({ account: { id, name, role, scans } }: { readonly account: OwnAccountItem }) {
  const isCurrent = useAccount().id === id;
  const enter = useEnterAccount();
  return (
    <Menu.Item onClick={() => void enter(id)} aria-current={isCurrent ? 'true' : undefined}>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <div style={{ minWidth: 0 }}>
          <Text size="sm" fw={isCurrent ? 500 : 400} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          <Text size="xs" c="dimmed" className="figures">
            {scans === null ? shellText.roles[role] : text.role(shellText.roles[role], text.scans(scans))}
          </Text>
        </div>
        {isCurrent && <IconCheck size={16} style={{ flex: 'none' }} aria-hidden />}
      </Group>
    </Menu.Item>
  );
}
