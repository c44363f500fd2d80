import { Badge, Menu, Table, Text } from '@mantine/core';
import type { Invitation } from '@signpost/contract';
import { IconSend, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { queryClient } from '../../api/query-client.ts';
import { peopleText } from '../../strings/people.ts';
import { shellText } from '../../strings/shell.ts';
import { formatDate } from '../../ui/format.ts';
import { MoreMenu } from '../../ui/more-menu.tsx';
import { notifyDone, notifyProblem } from '../../ui/problem.tsx';
import { WideTable } from '../../ui/wide-table.tsx';
import { useAccount, useMe } from '../shell/me.ts';
import { openInvitationLink } from './invitation-link.tsx';
import { invitationsQuery } from './queries.ts';
import { mayChange } from './roles.ts';

const text = peopleText.invitations;
const icon = { size: 16, 'aria-hidden': true } as const;

/** Who is invited and has not come yet. */
export function InvitationsTable({ invitations }: { readonly invitations: readonly Invitation[] }) {
  return (
    <WideTable label={text.title} minWidth={620}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{text.email}</Table.Th>
          <Table.Th>{text.role}</Table.Th>
          <Table.Th>{text.by}</Table.Th>
          <Table.Th>{text.until}</Table.Th>
          <Table.Th aria-label={text.actions} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {invitations.map(invitation => (
          <Table.Tr key={invitation.id}>
            <Table.Td maw={320}>
              <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
                {invitation.email}
              </Text>
            </Table.Td>
            <Table.Td>{shellText.roles[invitation.role]}</Table.Td>
            <Table.Td maw={280} style={{ overflowWrap: 'anywhere' }}>
              {invitation.invited_by}
            </Table.Td>
            <Table.Td>
              {invitation.expired ? (
                <Badge color="orange" variant="light" tt="none" fw={500} miw="fit-content">
                  {text.expired}
                </Badge>
              ) : (
                formatDate(invitation.expires_at)
              )}
            </Table.Td>
            <Table.Td ta="right" data-corner>
              <InvitationMenu invitation={invitation} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  );
}

function InvitationMenu({ invitation: { id, email, role } }: { readonly invitation: Invitation }) {
  const { service } = useMe();
  const own = useAccount();
  const params = { id };
  const refresh = () => queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey });
  const resend = useMutation({
    mutationFn: () => call('resendInvitation', { params }),
    onSuccess: async ({ link }) => {
      if (link === null) notifyDone(text.resent(email));
      else openInvitationLink({ email, link });
      await refresh();
    },
    onError: error => notifyProblem(error, text.resendFailed),
  });
  const revoke = useMutation({
    mutationFn: () => call('revokeInvitation', { params }),
    onSuccess: async () => {
      notifyDone(text.revoked);
      await refresh();
    },
    onError: error => notifyProblem(error, text.revokeFailed),
  });
  const reason = mayChange(own.role, role) ? undefined : peopleText.members.ownerOnly;
  return (
    <MoreMenu label={peopleText.members.actionsFor(email)}>
      {reason && <Menu.Label maw={220}>{reason}</Menu.Label>}
      <Menu.Item
        leftSection={<IconSend {...icon} />}
        disabled={reason !== undefined || resend.isPending}
        onClick={() => resend.mutate()}
      >
        {service.sends_mail ? text.resend : text.newLink}
      </Menu.Item>
      <Menu.Item
        c="light-dark(var(--mantine-color-red-9), var(--mantine-color-red-4))"
        leftSection={<IconTrash {...icon} />}
        disabled={reason !== undefined || revoke.isPending}
        onClick={() => revoke.mutate()}
      >
        {text.revoke}
      </Menu.Item>
    </MoreMenu>
  );
}
