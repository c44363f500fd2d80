import { Button, Group, Stack, Tabs, Text } from '@mantine/core';
import type { BrowseList } from '@signpost/contract';
import { IconCopy, IconDownload } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { useMode } from '../../api/mode.ts';
import { isApiError } from '../../api/request.ts';
import { codesText } from '../../strings/codes.ts';
import { Empty } from '../../ui/empty.tsx';
import { shownUrl } from '../../ui/format.ts';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { LinkButton } from '../../ui/router-link.tsx';
import { WaitPage } from '../../ui/wait-page.tsx';
import { CodeAlert } from '../appeals/code-alert.tsx';
import { TagList } from '../tags/tag-chip.tsx';
import { RulesMark, Statuses } from './code-cells.tsx';
import type { CodeFacts } from './code-facts.ts';
import { CodeMenu } from './code-menu.tsx';
import classes from './code-page.module.css';
import { copyLink } from './copy-link.ts';
import { openDownload } from './open-download.ts';
import { codeQuery } from './queries.ts';

const route = getRouteApi('/inside/codes/$id');
const text = codesText.page;
const tabs = ['overview', 'rules', 'placements', 'analytics', 'history'] as const;
const paths = {
  overview: '/codes/$id',
  rules: '/codes/$id/rules',
  placements: '/codes/$id/placements',
  analytics: '/codes/$id/analytics',
  history: '/codes/$id/history',
} as const;

/** One code: its name and status, what can be done with it, and its parts. */
export function CodePage() {
  const { id } = route.useParams();
  const mode = useMode();
  const query = useQuery(codeQuery(mode, id));
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const current = tabs.find(tab => pathname.endsWith(`/${tab}`)) ?? 'overview';

  const known = useKnownName(id);

  if (isApiError(query.error) && query.error.status === 404) return <NoSuchCode />;
  if (query.isPending) return <WaitPage title={known} />;
  return (
    <QueryView query={query} lines={6} height={72}>
      {code => (
        <Page
          title={code.name}
          description={
            <Group gap="xs">
              <Statuses code={code} />
              <Text
                span
                inherit
                lineClamp={2}
                style={{ overflowWrap: 'anywhere' }}
                title={code.destination_url}
              >
                {text.leadsTo(shownUrl(code.destination_url))}
              </Text>
              <RulesMark code={{ rule_count: code.rules.length }} />
              <TagList tags={code.tags} of={code.name} />
            </Group>
          }
          actions={<Actions code={code} />}
        >
          <CodeAlert code={code} />
          <Tabs
            value={current}
            onChange={tab => void navigate({ to: paths[tab as (typeof tabs)[number]], params: { id } })}
            keepMounted={false}
          >
            <Stack gap="lg">
              <Tabs.List className={classes.tabs!}>
                {tabs.map(tab => (
                  <Tabs.Tab key={tab} value={tab}>
                    {text.tabs[tab]}
                  </Tabs.Tab>
                ))}
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

/** The name of a code that one comes to from a list. */
function useKnownName(id: string): string | undefined {
  const client = useQueryClient();
  const lists = client.getQueriesData<BrowseList>({ queryKey: [useMode(), 'codes'] });
  return lists.flatMap(([, list]) => list?.data ?? []).find(code => code.id === id)?.name;
}

function Actions({ code }: { readonly code: CodeFacts }) {
  return (
    <>
      <Button leftSection={<IconDownload size={16} aria-hidden />} onClick={() => void openDownload(code)}>
        {codesText.actions.download}
      </Button>
      <Button
        variant="default"
        leftSection={<IconCopy size={16} aria-hidden />}
        onClick={() => void copyLink(code.short_url)}
      >
        {codesText.actions.copyLink}
      </Button>
      <CodeMenu code={code} />
    </>
  );
}

function NoSuchCode() {
  const mode = useMode();
  return (
    <Page title={text.missing.title}>
      <Empty
        title={text.missing.headings[mode]}
        action={<LinkButton to="/codes">{codesText.list.showAll}</LinkButton>}
      >
        {text.missing.bodies[mode]}
      </Empty>
    </Page>
  );
}
