import { Stack } from '@mantine/core';
import type { LiveScan } from '@signpost/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useMode } from '../../api/mode.ts';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { LinkButton } from '../../ui/router-link.tsx';
import { fileName } from '../../ui/save-file.ts';
import { BreakdownPanels } from './breakdown-panels.tsx';
import { ExportMenu } from './export-menu.tsx';
import { noScansCurl } from './no-scans.ts';
import { PeriodPicker } from './period-picker.tsx';
import { aggregateQuery } from './queries.ts';
import { ScansTable } from './scans-table.tsx';
import { viewOf } from './search.ts';
import { seriesCsv } from './series.ts';
import { SeriesChart } from './series-chart.tsx';
import { SummaryFigures } from './summary-figures.tsx';
import { TopCodes } from './top-codes.tsx';
import { useLiveRefresh } from './use-live-refresh.ts';

const route = getRouteApi('/inside/analytics');
const mostArrivals = 10;

/** All codes of the account together. */
export function AnalyticsPage() {
  const navigate = route.useNavigate();
  const view = viewOf(route.useSearch());
  const { period, interval } = view;
  const mode = useMode();
  const query = useQuery(aggregateQuery(mode, period, interval));
  const [arrived, setArrived] = useState<readonly LiveScan[]>([]);
  const live = useLiveRefresh(undefined, [[mode, 'aggregate']], scan =>
    setArrived(before => [scan, ...before].slice(0, mostArrivals)),
  );

  return (
    <Page
      title="Analytics"
      description="All your codes together. Open a code to see it alone."
      actions={
        query.data && (
          <ExportMenu
            what="The figures of this page"
            load={async format => ({
              blob:
                format === 'json'
                  ? new Blob([JSON.stringify(query.data, null, 2)], { type: 'application/json' })
                  : new Blob([format === 'excel' ? '\uFEFF' : '', seriesCsv(query.data.timeseries)], {
                      type: 'text/csv',
                    }),
              name: fileName(`signpost ${period.start} ${period.end}`, format === 'json' ? 'json' : 'csv'),
            })}
          />
        )
      }
    >
      <PeriodPicker
        view={view}
        onChange={search => void navigate({ search, replace: true, resetScroll: false })}
      />
      <QueryView query={query} lines={5} height={96}>
        {answer => (
          <Stack gap="lg">
            <SummaryFigures summary={answer.summary} live={live} />
            {answer.summary.total_scans === 0 ? (
              <Panel>
                <Empty
                  title="No scans in this period"
                  action={<LinkButton to="/codes">Go to your codes</LinkButton>}
                  curl={noScansCurl(null, period)}
                >
                  Choose a longer period, or scan one of your codes: it shows up here by itself.
                </Empty>
              </Panel>
            ) : (
              <>
                <Panel title="Over time">
                  <SeriesChart series={answer.timeseries} interval={interval} />
                </Panel>
                <Panel title="Most scanned codes">
                  <TopCodes codes={answer.top_qr_codes} />
                </Panel>
                <BreakdownPanels tops={answer} total={answer.summary.total_scans} />
              </>
            )}
          </Stack>
        )}
      </QueryView>
      {arrived.length > 0 && (
        <Panel title="Just come in" description="Since you opened this page">
          <ScansTable scans={arrived} caption="Scans that have just come in" />
        </Panel>
      )}
    </Page>
  );
}
