import type { LiveScan } from '@signpost/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useLiveRefresh } from '../../api/live-refresh.ts';
import { type Mode, useMode } from '../../api/mode.ts';
import { analyticsText as text } from '../../strings/analytics.ts';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { LinkButton } from '../../ui/router-link.tsx';
import { ShareButton } from '../share/share-button.tsx';
import { useAccount } from '../shell/me.ts';
import { ExportMenu } from './export-menu.tsx';
import { FilterChips } from './filter-chips.tsx';
import { PeriodPicker } from './period-picker.tsx';
import { dayOf } from './periods.ts';
import { firstCodeQuery, reportQuery, subjectKey } from './queries.ts';
import { ReportView } from './report-view.tsx';
import { saveReport } from './save-report.ts';
import { ScansTable } from './scans-table.tsx';
import { parseCodeAnalyticsSearch, viewOf } from './search.ts';
import { TopCodes } from './top-codes.tsx';
import { useSearchChange } from './use-search-change.ts';

const route = getRouteApi('/inside/analytics');
const mostArrivals = 10;

/** All codes of the account together. What arrived in one mode is not kept for the other. */
export function AnalyticsPage() {
  const mode = useMode();
  return <AccountAnalytics key={mode} mode={mode} />;
}

function AccountAnalytics({ mode }: { readonly mode: Mode }) {
  const subject = { mode, id: null };
  const search = route.useSearch();
  const account = useAccount();
  const first = useQuery(firstCodeQuery(mode));
  const bornAt = first.isError ? null : first.data;
  const view = viewOf(search, bornAt ? { birth: dayOf(new Date(bornAt)) } : {});
  const { choosePeriod, addFilters, setFilters } = useSearchChange(route.useNavigate());
  const report = useQuery({ ...reportQuery(subject, view), enabled: bornAt !== undefined });
  const [arrived, setArrived] = useState<readonly LiveScan[]>([]);
  const live = useLiveRefresh(undefined, [subjectKey(subject)], scan =>
    setArrived(before => [scan, ...before].slice(0, mostArrivals)),
  );

  return (
    <Page
      isWide
      title={text.title}
      actions={
        <>
          <ShareButton
            subject={{
              mode,
              codeId: null,
              tag: view.filters.tag ?? null,
              name: view.filters.tag ?? account.name,
              sections: ['chart', 'map', 'codes'],
              period: view.period,
            }}
          />
          {report.data && !report.isPlaceholderData && (
            <ExportMenu what={text.exportFigures} onSave={format => saveReport(report.data, format)} />
          )}
        </>
      }
    >
      <PeriodPicker view={view} onChange={choosePeriod} />
      <FilterChips filters={view.filters} onChange={setFilters} />
      <ReportView
        subject={subject}
        name={text.title}
        view={view}
        live={live}
        bornAt={bornAt}
        edits={[]}
        onFilter={addFilters}
        whenEmpty={{
          advice: text.noScansAccount,
          action: <LinkButton to="/codes">{text.goToCodes}</LinkButton>,
        }}
      >
        {({ topCodes, summary }) => (
          <Panel title={text.topCodes}>
            <TopCodes
              codes={topCodes ?? []}
              total={summary.total_scans}
              search={parseCodeAnalyticsSearch(search)}
            />
          </Panel>
        )}
      </ReportView>
      {arrived.length > 0 && (
        <Panel title={text.arrived}>
          <ScansTable scans={arrived} caption={text.arrived} />
        </Panel>
      )}
    </Page>
  );
}
