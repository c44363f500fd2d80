import { Badge, Button, Group, Text } from '@mantine/core';
import { peopleText } from '../../strings/people.ts';
import { shellText } from '../../strings/shell.ts';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { LinkButton } from '../../ui/router-link.tsx';
import { openLeaveAccount } from '../people/leave-account.tsx';
import { describeRole } from '../people/roles.ts';
import { CloseAccount } from '../settings/close-account.tsx';
import { useAccount } from '../shell/me.ts';
import { useLoseAccount } from '../shell/use-lose-account.ts';
import { useRoleRefusal } from '../shell/use-refusal.ts';
import { AccountName } from './account-name.tsx';
import { EditorsDelete } from './editors-delete.tsx';

const text = peopleText.general;

/** The account itself: its name, what this person is in it, what roles may do, and the ways to leave and to close it. */
export function GeneralPage() {
  const account = useAccount();
  const lose = useLoseAccount();
  const seesPeople = useRoleRefusal('account:manage') === undefined;
  return (
    <Page title={text.title}>
      <AccountName key={account.name} />
      <Panel title={text.you}>
        <div>
          <Badge variant="light" tt="none" fw={500}>
            {shellText.roles[account.role]}
          </Badge>
          <Text size="sm" mt={6}>
            {describeRole(account.role, account.editors_delete)}
          </Text>
        </div>
        {seesPeople && (
          <Group>
            <LinkButton to="/settings/people" variant="default">
              {text.seePeople}
            </LinkButton>
          </Group>
        )}
      </Panel>
      <EditorsDelete />
      <Panel title={text.leave} description={text.leaveText}>
        <Group>
          <Button variant="default" onClick={() => openLeaveAccount(account, lose)}>
            {text.leaveAction}
          </Button>
        </Group>
      </Panel>
      <CloseAccount />
    </Page>
  );
}
