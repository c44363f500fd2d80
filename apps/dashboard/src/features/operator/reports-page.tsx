import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { reportsQuery } from './queries.ts';
import { ReportCard } from './report-card.tsx';
import { parseReportsSearch } from './search.ts';
import { StateTabs } from './state-tabs.tsx';

const route = getRouteApi('/inside/operator/reports');

/** What people have reported, one entry a link. */
export function ReportsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(reportsQuery(search));
  const state = search.state ?? 'open';
  return (
    <Page
      title="Reports"
      description="Links that people have reported, the last one first. Several reports of one link are one entry."
    >
      <StateTabs
        tabs={[
          ['open', 'Open'],
          ['closed', 'Closed'],
        ]}
        value={state}
        onChange={next => void navigate({ search: parseReportsSearch({ state: next }) })}
      >
        <QueryView query={query} lines={3} height={220}>
          {({ data, pagination }) =>
            data.length === 0 ? (
              <Panel>
                {state === 'open' ? (
                  <Empty title="Nothing is waiting for you">
                    New reports show up here, and their number beside the name of this page.
                  </Empty>
                ) : (
                  <Empty title="No closed reports">
                    Reports that you have dealt with are kept here for 180 days.
                  </Empty>
                )}
              </Panel>
            ) : (
              <Stack gap="md">
                {data.map(report => (
                  <ReportCard key={report.id} report={report} />
                ))}
                <Pager
                  pages={pagination}
                  what="reports"
                  onChange={page => void navigate({ search: parseReportsSearch({ ...search, page }) })}
                />
              </Stack>
            )
          }
        </QueryView>
      </StateTabs>
    </Page>
  );
}
