import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
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

const route = getRouteApi('/inside/operator/suspensions');

const empty = {
  open: ['Nothing is suspended', 'Codes and accounts that are suspended for safety show up here.'],
  appealed: [
    'No appeal waits for an answer',
    'When an owner says that a suspension is a mistake, you read it here.',
  ],
  released: [
    'No suspension has ended yet',
    'Suspensions that were released, or whose code was deleted, are listed here.',
  ],
} as const;

/** What is suspended for safety, by whom and why, and what owners say about it. */
export function SuspensionsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(suspensionsQuery(search));
  const { ask, releasing } = useRelease();
  const state = search.state ?? 'open';
  return (
    <Page
      title="Suspensions"
      description="Codes and accounts that are suspended for safety. Nothing is deleted by it, and a release takes effect at once."
    >
      <StateTabs
        tabs={[
          ['open', 'Open'],
          ['appealed', 'Appealed'],
          ['released', 'Ended'],
        ]}
        value={state}
        onChange={next => void navigate({ search: parseSuspensionsSearch({ state: next }) })}
      >
        <QueryView query={query} lines={5} height={96}>
          {({ data, pagination }) =>
            data.length === 0 ? (
              <Panel>
                <Empty title={empty[state][0]}>{empty[state][1]}</Empty>
              </Panel>
            ) : (
              <Stack gap="md">
                <Entries label="Suspensions">
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
                  what="suspensions"
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
