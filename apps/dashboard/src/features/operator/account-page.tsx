import { Alert, Button, Group, Stack } from '@mantine/core';
import type { OperatorAccount } from '@signpost/contract';
import { IconBan } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { isApiError } from '../../api/request.ts';
import { operatorText } from '../../strings/operator.ts';
import { Empty } from '../../ui/empty.tsx';
import { formatDate, formatDateTime } from '../../ui/format.ts';
import { LongText } from '../../ui/long-text.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { LinkButton } from '../../ui/router-link.tsx';
import { AccountChips } from './account-chips.tsx';
import { AccountCodes } from './account-codes.tsx';
import { AccountFigures } from './account-figures.tsx';
import { AccountPeople } from './account-people.tsx';
import { AppealBox, KeepButton } from './appeal-box.tsx';
import { openChangePlan } from './change-plan.tsx';
import { accountQuery } from './queries.ts';
import { openSuspend } from './suspend.tsx';
import { useRelease } from './use-release.tsx';

const text = operatorText.account;

const route = getRouteApi('/inside/operator/accounts/$id');

/** An account for the operator: who is behind it, what it has made, and whether it is suspended. */
export function OperatorAccountPage() {
  const { id } = route.useParams();
  const query = useQuery(accountQuery(id));
  if (isApiError(query.error) && query.error.status === 404) return <NoSuchAccount />;
  return (
    <QueryView query={query} lines={5} height={96}>
      {found => (
        <Page
          title={found.account.name || text.closed}
          description={
            <Group gap="xs">
              <AccountChips account={found.account} />
              <span>{text.planSince(found.account.plan, formatDate(found.account.created_at))}</span>
            </Group>
          }
          actions={<Action found={found} />}
        >
          <Suspended found={found} />
          <AccountFigures found={found} />
          <AccountPeople people={found.people} />
          <AccountCodes id={id} />
        </Page>
      )}
    </QueryView>
  );
}

function Action({ found: { account, suspension } }: { readonly found: OperatorAccount }) {
  const { ask, releasing } = useRelease();
  if (suspension)
    return (
      <Button variant="default" loading={releasing === suspension.id} onClick={() => ask(suspension)}>
        {text.release}
      </Button>
    );
  if (account.closed_at) return null;
  return (
    <>
      <Button variant="default" onClick={() => openChangePlan(account)}>
        {operatorText.accounts.changePlan}
      </Button>
      <Button
        color="red.8"
        leftSection={<IconBan size={16} aria-hidden />}
        onClick={() => openSuspend({ what: 'account', id: account.id, name: account.name })}
      >
        {text.suspend}
      </Button>
    </>
  );
}

function Suspended({ found: { suspension } }: { readonly found: OperatorAccount }) {
  if (!suspension) return null;
  return (
    <Alert
      color="red"
      icon={<IconBan aria-hidden />}
      title={text.suspendedSince(formatDateTime(suspension.suspended_at))}
    >
      <Stack gap="xs">
        <LongText text={suspension.reason} what={text.reason} size="sm" />
        <AppealBox suspension={suspension} />
        {suspension.appeal && !suspension.appeal.answer && (
          <Group>
            <KeepButton suspension={suspension} />
          </Group>
        )}
      </Stack>
    </Alert>
  );
}

function NoSuchAccount() {
  return (
    <Page title={text.unknownTitle}>
      <Panel>
        <Empty
          title={text.unknownHint}
          action={<LinkButton to="/operator/look-up">{text.lookUp}</LinkButton>}
        >
          {text.unknownText}
        </Empty>
      </Panel>
    </Page>
  );
}
