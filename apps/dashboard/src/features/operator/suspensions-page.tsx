import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { operatorText } from '../../strings/operator.ts';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Entries } from './entries.tsx';
import { suspensionsQuery } from './queries.ts';
import { parseSuspensionsSearch } from './search.ts';
import { StateTabs } from './state-tabs.tsx';
import { SuspensionEntry } from './suspension-entry.tsx';
import { useRelease } from './use-release.tsx';

const text = operatorText.suspensions;

const route = getRouteApi('/inside/operator/suspensions');

/** What is suspended for safety, by whom and why, and what owners say about it. */
export function SuspensionsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(suspensionsQuery(search));
  const { ask, releasing } = useRelease();
  const state = search.state ?? 'open';
  return (
    <Page title={text.title}>
      <StateTabs
        tabs={[
          ['open', text.tabs.open],
          ['appealed', text.tabs.appealed],
          ['released', text.tabs.released],
        ]}
        value={state}
        onChange={next => void navigate({ search: parseSuspensionsSearch({ state: next }) })}
      >
        <QueryView query={query} lines={5} height={96}>
          {({ data, pagination }) =>
            data.length === 0 ? (
              <Panel>
                <Empty title={text.empty[state].title}>{text.empty[state].text}</Empty>
              </Panel>
            ) : (
              <Stack gap="md">
                <Entries label={text.title}>
                  {data.map(suspension => (
                    <SuspensionEntry
                      key={suspension.id}
                      suspension={suspension}
                      isReleasing={releasing === suspension.id}
                      onRelease={() => ask(suspension)}
                    />
                  ))}
                </Entries>
                <Pager
                  pages={pagination}
                  what={text.pages}
                  onChange={page => void navigate({ search: parseSuspensionsSearch({ ...search, page }) })}
                />
              </Stack>
            )
          }
        </QueryView>
      </StateTabs>
    </Page>
  );
}
