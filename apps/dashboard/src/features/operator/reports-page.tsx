import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { operatorText } from '../../strings/operator.ts';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { reportsQuery } from './queries.ts';
import { ReportCard } from './report-card.tsx';
import { parseReportsSearch } from './search.ts';
import { StateTabs } from './state-tabs.tsx';

const text = operatorText.reports;

const route = getRouteApi('/inside/operator/reports');

/** What people have reported, one entry a link. */
export function ReportsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(reportsQuery(search));
  const state = search.state ?? 'open';
  return (
    <Page title={text.title}>
      <StateTabs
        tabs={[
          ['open', text.tabs.open],
          ['closed', text.tabs.closed],
        ]}
        value={state}
        onChange={next => void navigate({ search: parseReportsSearch({ state: next }) })}
      >
        <QueryView query={query} lines={3} height={220}>
          {({ data, pagination }) =>
            data.length === 0 ? (
              <Panel>
                {state === 'open' ? (
                  <Empty title={text.emptyOpen}>{text.emptyOpenText}</Empty>
                ) : (
                  <Empty title={text.emptyClosed}>{text.emptyClosedText}</Empty>
                )}
              </Panel>
            ) : (
              <Stack gap="md">
                {data.map(report => (
                  <ReportCard key={report.id} report={report} />
                ))}
                <Pager
                  pages={pagination}
                  what={text.pages}
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
