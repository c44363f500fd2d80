import { Alert, Stack } from '@mantine/core';
import type { Edit } from '@signpost/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { LiveState } from '../../api/live.ts';
import { analyticsText as text } from '../../strings/analytics.ts';
import { Empty } from '../../ui/empty.tsx';
import { formatDate } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { BreakdownPanels } from './breakdown-panels.tsx';
import { bucketsOf } from './buckets.ts';
import { ChartPanel } from './chart-panel.tsx';
import { isComparable, periodBefore } from './comparison.ts';
import { type Filters, hasFilters } from './filters.ts';
import { HeatMap } from './heat-map.tsx';
import { noScansCurl } from './no-scans.ts';
import { NotRedirected } from './not-redirected.tsx';
import { periodName } from './period-name.ts';
import { dayOf } from './periods.ts';
import { beforeQuery, type Report, reportQuery, type Subject, weekHoursQuery } from './queries.ts';
import { isNotRetained, retainedPart } from './retained.ts';
import type { View } from './search.ts';
import { Stale } from './stale.tsx';
import { SummaryFigures } from './summary-figures.tsx';

type Props = {
  readonly subject: Subject;
  /** What the code is called, or the account. */
  readonly name: string;
  readonly view: View;
  readonly live: LiveState;
  /** When the code was created, or the account's first; undefined while that is being asked. */
  readonly bornAt: string | null | undefined;
  readonly edits: readonly Edit[];
  readonly onFilter: (filters: Filters) => void;
  readonly whenEmpty: { readonly advice: string; readonly action?: ReactNode };
  /** What a page shows below the chart for itself. */
  readonly children?: (report: Report) => ReactNode;
};

/** The analytics of a code or of an account: figures, chart, and everything that they break down into. */
export function ReportView(props: Props) {
  const { subject, view, bornAt } = props;
  const report = useQuery({ ...reportQuery(subject, view), enabled: bornAt !== undefined });
  if (isNotRetained(report.error)) return <Alert variant="light">{text.retained.filtered}</Alert>;
  return (
    <QueryView query={report} lines={3} height={120}>
      {answer => (
        <Stale isStale={report.isPlaceholderData} loading={view.period}>
          <Answer {...props} report={answer} />
        </Stale>
      )}
    </QueryView>
  );
}

/** Everything in here goes by the view of the answer, which may not yet be that of the page. */
function Answer({
  report,
  subject,
  name,
  live,
  bornAt,
  edits,
  onFilter,
  whenEmpty,
  children,
}: Props & { readonly report: Report }) {
  const { view, summary, tops } = report;
  const { period, interval, filters } = view;
  const bornMs = bornAt ? Date.parse(bornAt) : null;
  const wanted = periodBefore(period, view.preset);
  const asked = isComparable(wanted, bornMs) && report.retainedFrom === undefined ? wanted : null;
  const earlier = useQuery(beforeQuery(subject, asked, view));
  // Its scans may have been removed.
  const before = isNotRetained(earlier.error) ? null : asked;
  const retained = retainedPart(period, report.retainedFrom);
  const buckets = bucketsOf({
    series: report.series,
    before: before ? (earlier.data?.series ?? null) : null,
    interval,
    period,
    nowMs: Date.now(),
    bornMs,
  });
  return (
    <Stack gap="md">
      {report.retainedFrom !== undefined && (
        <Alert variant="light" p="sm">
          {text.retained.sentence(formatDate(`${report.retainedFrom.slice(0, 10)}T00:00:00`))}
        </Alert>
      )}
      <SummaryFigures
        report={report}
        live={live}
        birth={bornMs === null ? null : dayOf(new Date(bornMs))}
        before={before && { period: before, report: earlier.data }}
      />
      {!hasFilters(filters) && <NotRedirected counts={report.notRedirected} />}
      {summary.total_scans === 0 ? (
        <Panel>
          <Empty title={text.noScans} action={whenEmpty.action} curl={noScansCurl(subject.id, period)}>
            {hasFilters(filters) ? text.noScansFiltered : whenEmpty.advice}
          </Empty>
        </Panel>
      ) : (
        <>
          <ChartPanel
            buckets={buckets}
            interval={interval}
            edits={edits}
            name={`${name}, ${periodName(period)}`}
          />
          {children?.(report)}
          <BreakdownPanels
            tops={tops}
            total={summary.total_scans}
            onFilter={onFilter}
            week={retained && <WeekPanel subject={subject} view={{ ...view, period: retained }} />}
          />
        </>
      )}
    </Stack>
  );
}

function WeekPanel({ subject, view }: { readonly subject: Subject; readonly view: View }) {
  const hours = useQuery(weekHoursQuery(subject, view));
  return (
    <Panel title={text.weekHours.title} h="100%">
      <QueryView query={hours} lines={1} height={220}>
        {({ data }) => <HeatMap hours={data} />}
      </QueryView>
    </Panel>
  );
}
