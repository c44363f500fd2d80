import { Group, Stack } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useMode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { Empty } from '../../ui/empty.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { fileName } from '../../ui/save-file.ts';
import { codeQuery } from '../codes/queries.ts';
import { BreakdownPanels } from './breakdown-panels.tsx';
import { ExportMenu } from './export-menu.tsx';
import { noScansCurl } from './no-scans.ts';
import { PeriodPicker } from './period-picker.tsx';
import { periodQuery, scansQuery, seriesQuery, summaryQuery } from './queries.ts';
import { ScansTable } from './scans-table.tsx';
import { viewOf } from './search.ts';
import { SeriesChart } from './series-chart.tsx';
import { SummaryFigures } from './summary-figures.tsx';
import { useLiveRefresh } from './use-live-refresh.ts';

const route = getRouteApi('/inside/codes/$id/analytics');

/** The analytics of one code. */
export function CodeAnalytics() {
  const { id } = route.useParams();
  const navigate = route.useNavigate();
  const view = viewOf(route.useSearch());
  const { period, interval } = view;
  const mode = useMode();
  const { data: code } = useSuspenseQuery(codeQuery(mode, id));
  const [page, setPage] = useState(1);
  const summary = useQuery(summaryQuery(mode, id, period));
  const series = useQuery(seriesQuery(mode, id, period, interval));
  const scans = useQuery(scansQuery(mode, id, period, page));
  const live = useLiveRefresh(id, [[mode, 'analytics', id], codeQuery(mode, id).queryKey]);

  return (
    <Stack gap="lg">
      <Group justify="space-between" gap="sm">
        <PeriodPicker
          view={view}
          onChange={search => {
            setPage(1);
            void navigate({ search, replace: true, resetScroll: false });
          }}
        />
        <ExportMenu
          what="Every scan of the period"
          load={async wanted => {
            const format = wanted === 'json' ? 'json' : 'csv';
            const form = { format, ...(wanted === 'excel' ? { bom: true } : {}) } as const;
            return {
              blob: await call('exportScans', { params: { id }, query: { ...periodQuery(period), ...form } }),
              name: fileName(`${code.name} ${period.start} ${period.end}`, format),
            };
          }}
        />
      </Group>
      <QueryView query={summary} lines={3} height={88}>
        {answer => (
          <Stack gap="lg">
            <SummaryFigures summary={answer.summary} live={live} />
            {answer.summary.total_scans === 0 ? (
              <Panel>
                <Empty title="No scans in this period" curl={noScansCurl(id, period)}>
                  Choose a longer period, or scan the code: it shows up here by itself.
                </Empty>
              </Panel>
            ) : (
              <>
                <Panel title="Over time">
                  <QueryView query={series} lines={1} height={280}>
                    {({ data }) => <SeriesChart series={data} interval={interval} />}
                  </QueryView>
                </Panel>
                <BreakdownPanels tops={answer} total={answer.summary.total_scans} />
              </>
            )}
          </Stack>
        )}
      </QueryView>
      <QueryView query={scans}>
        {({ data, pagination }) =>
          pagination.total > 0 ? (
            <Panel title="Newest scans">
              <ScansTable scans={data} caption="Newest scans" />
              <Pager pages={pagination} what="scans" onChange={setPage} />
            </Panel>
          ) : null
        }
      </QueryView>
    </Stack>
  );
}
