import { Stack } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { fileUrl } from '../../api/file-url.ts';
import { useLiveRefresh } from '../../api/live-refresh.ts';
import { useMode } from '../../api/mode.ts';
import { analyticsText as text } from '../../strings/analytics.ts';
import { Pager } from '../../ui/pager.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { codeQuery, historyQuery } from '../codes/queries.ts';
import { ShareButton } from '../share/share-button.tsx';
import { namesOf } from './code-names.ts';
import { type ExportFormat, ExportMenu } from './export-menu.tsx';
import { FilterChips } from './filter-chips.tsx';
import type { CodeNames } from './filters.ts';
import { PeriodPicker } from './period-picker.tsx';
import { dayOf } from './periods.ts';
import { periodQuery, reportQuery, scansQuery, subjectKey } from './queries.ts';
import { ReportView } from './report-view.tsx';
import { RoutingPanels } from './routing-panels.tsx';
import { ScansTable } from './scans-table.tsx';
import { viewOf } from './search.ts';
import { useSearchChange } from './use-search-change.ts';

const route = getRouteApi('/inside/codes/$id/analytics');

/** The analytics of one code. */
export function CodeAnalytics() {
  const { id } = route.useParams();
  const mode = useMode();
  const subject = { mode, id };
  const { data: code } = useSuspenseQuery(codeQuery(mode, id));
  const view = viewOf(route.useSearch(), { birth: dayOf(new Date(code.created_at)) });
  const { choosePeriod, addFilters, setFilters } = useSearchChange(route.useNavigate());
  const history = useQuery(historyQuery(mode, id));
  const report = useQuery(reportQuery(subject, view));
  const names = namesOf(code, report.data?.targets);
  const live = useLiveRefresh(id, [subjectKey(subject), codeQuery(mode, id).queryKey]);

  return (
    <Stack gap="md">
      <PeriodPicker view={view} onChange={choosePeriod}>
        <ShareButton
          subject={{
            mode,
            codeId: id,
            tag: null,
            name: code.name,
            sections: [
              'chart',
              'map',
              ...(code.placements.length > 0 ? (['placements'] as const) : []),
              'destinations',
            ],
            period: view.period,
          }}
        />
        <ExportMenu
          what={text.exportScans}
          linkTo={format =>
            fileUrl('exportScans', {
              params: { id },
              query: { ...periodQuery(view.period, view.filters), ...formOf(format) },
            })
          }
        />
      </PeriodPicker>
      <FilterChips filters={view.filters} names={names} onChange={setFilters} />
      <ReportView
        subject={subject}
        name={code.name}
        view={view}
        live={live}
        bornAt={code.created_at}
        edits={history.data?.data ?? []}
        onFilter={addFilters}
        whenEmpty={{ advice: text.noScansCode }}
      >
        {answer => <RoutingPanels code={code} report={answer} names={names} onFilter={addFilters} />}
      </ReportView>
      <RecentScans
        key={JSON.stringify([subject, view])}
        subject={subject}
        view={view}
        names={names}
        isPlaced={code.placements.length > 0}
        isRouted={code.rules.length > 0}
      />
    </Stack>
  );
}

const formOf = (format: ExportFormat) => ({
  format: format === 'json' ? ('json' as const) : ('csv' as const),
  ...(format === 'excel' ? { bom: true } : {}),
});

type RecentProps = {
  readonly subject: Parameters<typeof scansQuery>[0];
  readonly view: ReturnType<typeof viewOf>;
  readonly names: CodeNames;
  readonly isPlaced: boolean;
  readonly isRouted: boolean;
};

/** Single scans of the same period and filters, from the first page on. */
function RecentScans({ subject, view, ...columns }: RecentProps) {
  const [page, setPage] = useState(1);
  const scans = useQuery(scansQuery(subject, view, page));
  return (
    <QueryView query={scans} lines={1} height={240}>
      {({ data, pagination }) =>
        pagination.total > 0 ? (
          <Panel title={text.recent}>
            <ScansTable scans={data} caption={text.recent} {...columns} />
            <Pager pages={pagination} what={text.pagerScans} onChange={setPage} />
          </Panel>
        ) : null
      }
    </QueryView>
  );
}
