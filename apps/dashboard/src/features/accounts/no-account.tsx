import { Button, Group, Stack, Text } from '@mantine/core';
import type { PendingInvitation } from '@signpost/contract';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { peopleText } from '../../strings/people.ts';
import { shellText } from '../../strings/shell.ts';
import { formatDate } from '../../ui/format.ts';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Sentence } from '../../ui/sentence.tsx';
import { useMe } from '../shell/me.ts';
import { useEnterAccount } from '../shell/use-enter-account.ts';
import { useSignOut } from '../shell/use-sign-out.ts';
import { openNewAccount } from './open-new-account.ts';
import { ownAccountsQuery } from './queries.ts';

const text = peopleText.noAccount;

/** All that somebody sees who belongs to no account: invitations, an account of their own where they may, and the way out. */
export function NoAccount() {
  const { user, invitations } = useMe();
  const { data } = useQuery(ownAccountsQuery);
  const enter = useEnterAccount();
  const signOut = useSignOut();
  return (
    <Page title={text.title} description={text.text}>
      <Panel title={text.invitations}>
        {invitations.length === 0 ? (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            <Sentence text={text.none} parts={{ email: <b>{user.email}</b> }} />
          </Text>
        ) : (
          <Stack gap="md">
            {invitations.map(one => (
              <Pending key={`${one.account_name} ${one.expires_at}`} invitation={one} />
            ))}
          </Stack>
        )}
      </Panel>
      {data?.can_create && (
        <Panel title={text.own} description={text.ownText}>
          <Group>
            <Button
              leftSection={<IconPlus size={18} aria-hidden />}
              onClick={() => void openNewAccount(enter)}
            >
              {text.create}
            </Button>
          </Group>
        </Panel>
      )}
      <Group>
        <Button variant="default" loading={signOut.isPending} onClick={() => signOut.mutate()}>
          {text.signOut}
        </Button>
      </Group>
    </Page>
  );
}

function Pending({ invitation }: { readonly invitation: PendingInvitation }) {
  const { account_name, invited_by, role, expires_at } = invitation;
  const { sends_mail } = useMe().service;
  const parts = { inviter: invited_by, account: <b>{account_name}</b>, role: shellText.roles[role] };
  return (
    <div>
      <Text style={{ overflowWrap: 'anywhere' }}>
        <Sentence text={text.invitation} parts={parts} />
      </Text>
      <Text size="sm" c="dimmed">
        {sends_mail ? text.open : text.openGiven} {text.until(formatDate(expires_at))}
      </Text>
    </div>
  );
}
