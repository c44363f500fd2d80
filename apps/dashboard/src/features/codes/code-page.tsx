import { Button, Group, Stack, Tabs, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { useMode } from '../../api/mode.ts';
import { isApiError } from '../../api/request.ts';
import { Empty } from '../../ui/empty.tsx';
import { shownUrl } from '../../ui/format.ts';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { LinkButton } from '../../ui/router-link.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { CodeAlert } from '../appeals/code-alert.tsx';
import { openDeleteCode } from './delete-code.tsx';
import { PauseButton } from './pause-button.tsx';
import { codeQuery } from './queries.ts';

const route = getRouteApi('/inside/codes/$id');
const tabs = ['overview', 'analytics', 'history'] as const;
const paths = {
  overview: '/codes/$id',
  analytics: '/codes/$id/analytics',
  history: '/codes/$id/history',
} as const;

/** One code: its name and status, what can be done with it, and its three parts. */
export function CodePage() {
  const { id } = route.useParams();
  const mode = useMode();
  const query = useQuery(codeQuery(mode, id));
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const current = tabs.find(tab => pathname.endsWith(`/${tab}`)) ?? 'overview';

  if (isApiError(query.error) && query.error.status === 404) return <NoSuchCode />;
  return (
    <QueryView query={query} lines={6} height={72}>
      {code => (
        <Page
          title={code.name}
          description={
            <Group gap="xs">
              <StatusBadge status={code.status} />
              {(code.availability.state === 'suspended' || code.availability.state === 'held') && (
                <StatusBadge status={code.availability.state} />
              )}
              <Text span inherit lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
                leads to {shownUrl(code.destination_url)}
              </Text>
            </Group>
          }
          actions={
            <>
              <PauseButton code={code} />
              <Button
                variant="default"
                leftSection={<IconTrash size={16} aria-hidden />}
                onClick={() => openDeleteCode({ code, onDeleted: () => navigate({ to: '/codes' }) })}
              >
                Delete
              </Button>
            </>
          }
        >
          <CodeAlert code={code} />
          <Tabs
            value={current}
            onChange={tab => void navigate({ to: paths[tab as (typeof tabs)[number]], params: { id } })}
            keepMounted={false}
          >
            <Stack gap="lg">
              <Tabs.List>
                <Tabs.Tab value="overview">Overview</Tabs.Tab>
                <Tabs.Tab value="analytics">Analytics</Tabs.Tab>
                <Tabs.Tab value="history">History</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value={current}>
                <Outlet />
              </Tabs.Panel>
            </Stack>
          </Tabs>
        </Page>
      )}
    </QueryView>
  );
}

function NoSuchCode() {
  const mode = useMode();
  const other = mode === 'live' ? 'test' : 'live';
  return (
    <Page title="There is no such code">
      <Empty
        title={`Not among your ${mode} codes`}
        action={<LinkButton to="/codes">Show all codes</LinkButton>}
      >
        It may have been deleted, or it is a {other} code: switch to {other} mode above to see those.
      </Empty>
    </Page>
  );
}
