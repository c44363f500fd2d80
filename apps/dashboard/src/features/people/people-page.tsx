import { Button, Text } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { peopleText } from '../../strings/people.ts';
import { formatNumber } from '../../ui/format.ts';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { RefusedButton } from '../../ui/refused-button.tsx';
import { useAccount, useMe } from '../shell/me.ts';
import { useRefusal } from '../shell/use-refusal.ts';
import { InvitationsTable } from './invitations-table.tsx';
import { openInvite } from './invite.tsx';
import { MembersTable } from './members-table.tsx';
import { usedPlaces } from './places.ts';
import { invitationsQuery, membersQuery } from './queries.ts';

const text = peopleText.page;

/** Who belongs to the account, with roles, and who is invited. */
export function PeoplePage() {
  const account = useAccount();
  const members = useQuery(membersQuery);
  const invitations = useQuery(invitationsQuery);
  const limit = members.data?.limit ?? null;
  const used = usedPlaces(members.data?.data ?? [], invitations.data?.data ?? []);
  return (
    <Page
      title={text.title}
      description={text.text(account.name)}
      actions={<Invite isFull={limit !== null && used >= limit} />}
    >
      <Panel
        title={peopleText.members.title}
        aside={
          limit !== null && (
            <Text size="sm" c="dimmed" className="figures" title={text.placesHint}>
              {text.places(formatNumber(used), formatNumber(limit))}
            </Text>
          )
        }
      >
        <QueryView query={members}>{({ data }) => <MembersTable members={data} />}</QueryView>
      </Panel>
      <QueryView query={invitations} lines={2}>
        {({ data }) =>
          data.length > 0 && (
            <Panel title={peopleText.invitations.title}>
              <InvitationsTable invitations={data} />
            </Panel>
          )
        }
      </QueryView>
    </Page>
  );
}

function Invite({ isFull }: { readonly isFull: boolean }) {
  const { user, service } = useMe();
  const unconfirmed = service.sends_mail && !user.email_verified ? text.unconfirmed : undefined;
  const refusal = useRefusal('account:manage') ?? unconfirmed ?? (isFull ? text.full : undefined);
  const icon = <IconUserPlus size={18} aria-hidden />;
  return refusal ? (
    <RefusedButton reason={refusal} leftSection={icon}>
      {text.invite}
    </RefusedButton>
  ) : (
    <Button leftSection={icon} onClick={openInvite}>
      {text.invite}
    </Button>
  );
}
