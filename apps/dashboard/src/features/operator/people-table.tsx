import { Badge, Group, Menu, Stack, Table, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { OperatorPerson } from '@signpost/contract';
import { IconKey, IconLogout, IconShield } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { operatorText } from '../../strings/operator.ts';
import { shellText } from '../../strings/shell.ts';
import { formatDate, formatNumber } from '../../ui/format.ts';
import { MoreMenu } from '../../ui/more-menu.tsx';
import { notifyDone, notifyProblem } from '../../ui/problem.tsx';
import { LinkAnchor } from '../../ui/router-link.tsx';
import { WideTable } from '../../ui/wide-table.tsx';
import { useMe } from '../shell/me.ts';
import { openResetLink, openSetOperator } from './person-dialogs.tsx';

const text = operatorText.people;

export function PeopleTable({ people }: { readonly people: readonly OperatorPerson[] }) {
  return (
    <WideTable label={text.title} minWidth={760}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{text.person}</Table.Th>
          <Table.Th>{text.accounts}</Table.Th>
          <Table.Th ta="right">{text.sessions}</Table.Th>
          <Table.Th>{text.since}</Table.Th>
          <Table.Th aria-label={text.actions} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {people.map(person => (
          <Table.Tr key={person.id}>
            <Table.Td maw={360}>
              <PersonName person={person} />
            </Table.Td>
            <Table.Td>
              {person.accounts.length === 0 ? text.noAccount : <PersonAccounts accounts={person.accounts} />}
            </Table.Td>
            <Table.Td ta="right" className="figures">
              {formatNumber(person.sessions)}
            </Table.Td>
            <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatDate(person.created_at)}</Table.Td>
            <Table.Td ta="right" data-corner>
              <PersonMenu person={person} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  );
}

function PersonAccounts({ accounts }: Pick<OperatorPerson, 'accounts'>) {
  return (
    <Stack gap={2}>
      {accounts.map(({ id, name, role }) => (
        <div key={id}>
          <LinkAnchor
            to="/operator/accounts/$id"
            params={{ id }}
            size="sm"
            style={{ overflowWrap: 'anywhere' }}
          >
            {name}
          </LinkAnchor>{' '}
          <Text span size="xs" c="dimmed">
            {shellText.roles[role]}
          </Text>
        </div>
      ))}
    </Stack>
  );
}

function PersonName({ person }: { readonly person: OperatorPerson }) {
  const { user } = useMe();
  const chips = [
    ...(person.id === user.id ? [{ label: text.you, color: 'gray' }] : []),
    ...(person.is_operator ? [{ label: text.operator, color: 'signpost' }] : []),
    ...(person.email_verified ? [] : [{ label: text.notConfirmed, color: 'orange' }]),
  ];
  return (
    <div>
      <Group gap="xs">
        <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
          {person.email}
        </Text>
        {chips.map(({ label, color }) => (
          <Badge key={label} color={color} variant="light" tt="none" fw={500} miw="fit-content">
            {label}
          </Badge>
        ))}
      </Group>
      <Text size="xs" c="dimmed" fw={400} style={{ overflowWrap: 'anywhere' }}>
        {person.name}
      </Text>
    </div>
  );
}

function PersonMenu({ person }: { readonly person: OperatorPerson }) {
  const { user, service } = useMe();
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: () => call('endPersonSessions', { params: { id: person.id } }),
    onSuccess: async ({ ended }) => {
      notifyDone(text.endSessionsDone(ended));
      await client.invalidateQueries({ queryKey: ['operator', 'people'] });
    },
    onError: error => notifyProblem(error, text.endSessionsFailed),
  });
  const askToEnd = () =>
    modals.openConfirmModal({
      title: text.endSessionsTitle(person.email),
      children: (
        <Text size="sm">{person.id === user.id ? text.endOwnSessionsText : text.endSessionsText}</Text>
      ),
      labels: { confirm: text.endSessions, cancel: operatorText.cancel },
      onConfirm: () => end.mutate(),
    });
  return (
    <MoreMenu label={text.actionsOf(person.email)}>
      <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={askToEnd}>
        {text.endSessions}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconKey size={16} aria-hidden />}
        onClick={() => openResetLink(person, service.sends_mail)}
      >
        {text.resetLink}
      </Menu.Item>
      <Menu.Item leftSection={<IconShield size={16} aria-hidden />} onClick={() => openSetOperator(person)}>
        {person.is_operator ? text.removeOperator : text.makeOperator}
      </Menu.Item>
    </MoreMenu>
  );
}
