import { Badge, Group, Menu, Table, Text } from '@mantine/core';
import type { Member } from '@signpost/contract';
import { IconCopy, IconDoorExit, IconUserCog, IconUserMinus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { peopleText } from '../../strings/people.ts';
import { shellText } from '../../strings/shell.ts';
import { formatDate, formatNumber } from '../../ui/format.ts';
import { MoreMenu } from '../../ui/more-menu.tsx';
import { notifyDone } from '../../ui/problem.tsx';
import { useCopy } from '../../ui/use-copy.ts';
import { WideTable } from '../../ui/wide-table.tsx';
import { useAccount } from '../shell/me.ts';
import { useLoseAccount } from '../shell/use-lose-account.ts';
import { openChangeRole } from './change-role.tsx';
import { openLeaveAccount } from './leave-account.tsx';
import { openRemoveMember } from './remove-member.tsx';
import { mayChange } from './roles.ts';

const text = peopleText.members;
const icon = { size: 16, 'aria-hidden': true } as const;

/** Who belongs to the account. */
export function MembersTable({ members }: { readonly members: readonly Member[] }) {
  const owners = members.filter(({ role }) => role === 'owner').length;
  return (
    <WideTable label={text.title} minWidth={620}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{text.person}</Table.Th>
          <Table.Th>{text.role}</Table.Th>
          <Table.Th>{text.joined}</Table.Th>
          <Table.Th ta="right">{text.keys}</Table.Th>
          <Table.Th aria-label={text.actions} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {members.map(member => (
          <Table.Tr key={member.id}>
            <Table.Td maw={360}>
              <MemberName member={member} />
            </Table.Td>
            <Table.Td>{shellText.roles[member.role]}</Table.Td>
            <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatDate(member.joined_at)}</Table.Td>
            <Table.Td ta="right" className="figures">
              {formatNumber(member.keys)}
            </Table.Td>
            <Table.Td ta="right" data-corner>
              <MemberMenu member={member} isLastOwner={member.role === 'owner' && owners === 1} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  );
}

function MemberName({ member: { name, email, is_you } }: { readonly member: Member }) {
  return (
    <div>
      <Group gap="xs">
        <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        {is_you && (
          <Badge color="gray" variant="light" tt="none" fw={500} miw="fit-content">
            {text.you}
          </Badge>
        )}
      </Group>
      <Text size="xs" c="dimmed" fw={400} style={{ overflowWrap: 'anywhere' }}>
        {email}
      </Text>
    </div>
  );
}

type MenuProps = { readonly member: Member; readonly isLastOwner: boolean };

function MemberMenu({ member, isLastOwner }: MenuProps) {
  const account = useAccount();
  const navigate = useNavigate();
  const lose = useLoseAccount();
  const { copy } = useCopy(() => notifyDone(text.copied));
  const reason = !mayChange(account.role, member.role)
    ? text.ownerOnly
    : isLastOwner
      ? text.lastOwner
      : undefined;
  return (
    <MoreMenu label={text.actionsFor(member.email)}>
      <Menu.Item leftSection={<IconCopy {...icon} />} onClick={() => void copy(member.email)}>
        {text.copyEmail}
      </Menu.Item>
      {reason && <Menu.Label maw={220}>{reason}</Menu.Label>}
      <Menu.Item
        leftSection={<IconUserCog {...icon} />}
        disabled={reason !== undefined}
        onClick={() => openChangeRole(member)}
      >
        {text.changeRole}
      </Menu.Item>
      {member.is_you ? (
        <Menu.Item
          leftSection={<IconDoorExit {...icon} />}
          disabled={reason !== undefined}
          onClick={() => openLeaveAccount(account, lose)}
        >
          {text.leave}
        </Menu.Item>
      ) : (
        <Menu.Item
          c="light-dark(var(--mantine-color-red-9), var(--mantine-color-red-4))"
          leftSection={<IconUserMinus {...icon} />}
          disabled={reason !== undefined}
          onClick={() => openRemoveMember({ member, onKeys: () => void navigate({ to: '/settings/keys' }) })}
        >
          {text.remove}
        </Menu.Item>
      )}
    </MoreMenu>
  );
}
