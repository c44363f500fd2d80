import type { AggregateAnalytics, AnalyticsSummary, SeriesEntry } from '@signpost/contract';
import { queryOptions } from '@tanstack/react-query';
import type { Mode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { type Filters, hasFilters } from './filters.ts';
import type { Period } from './periods.ts';
import { inMonths, isNotRetained } from './retained.ts';
import type { View } from './search.ts';

/** Days begin and end where the viewer is. */
const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;

export const periodQuery = ({ start, end }: Period, filters: Filters, zone = timezone) => ({
  start_date: start,
  end_date: end,
  timezone: zone,
  ...filters,
});

const scansPerPage = 10;

/** Of what the figures are: one code, or all of the account. */
export type Subject = { readonly mode: Mode; readonly id: string | null };

/** The figures and the series of a period, with the view that they are of: a page never takes them for another. */
export type Report = {
  readonly view: View;
  readonly summary: AnalyticsSummary['summary'] & { readonly qr_codes?: number };
  readonly tops: Pick<AnalyticsSummary, 'top_countries' | 'top_cities' | 'devices' | 'browsers'>;
  /** Of one code; none of an account. */
  readonly targets: AnalyticsSummary['targets'];
  readonly placements: AnalyticsSummary['placements'];
  readonly series: readonly SeriesEntry[];
  readonly topCodes: AggregateAnalytics['top_qr_codes'] | null;
  /** Requests for a code that were not redirected, by reason. */
  readonly notRedirected: AnalyticsSummary['not_redirected'];
  /** Where scans before this moment were removed, and the period reaches back further. */
  readonly retainedFrom: string | undefined;
};

const keyOf = ({ mode, id }: Subject) => [mode, id === null ? 'aggregate' : 'analytics', id];

/** All that new scans change. */
export const subjectKey = (subject: Subject) => [...keyOf(subject), 'now'];

const isOf = (subject: Subject, queryKey: readonly unknown[] = []) =>
  keyOf(subject).every((part, at) => queryKey[at] === part);

export const reportQuery = (subject: Subject, view: View) =>
  queryOptions({
    queryKey: [...subjectKey(subject), 'report', view],
    queryFn: async ({ signal }): Promise<Report> => {
      try {
        return { view, ...(await readReport(subject, view, signal)) };
      } catch (error) {
        if (!isNotRetained(error) || hasFilters(view.filters)) throw error;
        const months = inMonths(view);
        return { view: months, ...(await readReport(subject, months, signal, 'UTC')) };
      }
    },
    // The answer before stands in, dimmed, while another period is loaded; never one of another code or mode.
    placeholderData: (previous, query) => (isOf(subject, query?.queryKey) ? previous : undefined),
  });

/** The period before does not change with new scans. */
export const beforeQuery = (subject: Subject, before: Period | null, { filters, interval }: View) =>
  queryOptions({
    queryKey: [...keyOf(subject), 'before', before, filters, interval],
    queryFn: ({ signal }) => readReport(subject, { period: before!, filters, interval }, signal),
    enabled: before !== null,
    staleTime: 600_000,
  });

async function readReport(
  { id }: Subject,
  { period, filters, interval }: Pick<View, 'period' | 'filters' | 'interval'>,
  signal: AbortSignal,
  zone?: string,
): Promise<Omit<Report, 'view'>> {
  const query = periodQuery(period, filters, zone);
  if (id === null) {
    const answer = await call('getAggregateAnalytics', { query: { ...query, interval } }, signal);
    return {
      summary: answer.summary,
      tops: answer,
      targets: [],
      placements: [],
      series: answer.timeseries,
      topCodes: answer.top_qr_codes,
      notRedirected: {},
      retainedFrom: answer.retained_from,
    };
  }
  const [answer, series] = await Promise.all([
    call('getAnalytics', { params: { id }, query }, signal),
    call('getTimeseries', { params: { id }, query: { ...query, interval } }, signal),
  ]);
  return {
    summary: answer.summary,
    tops: answer,
    targets: answer.targets,
    placements: answer.placements,
    series: series.data,
    topCodes: null,
    notRedirected: answer.not_redirected,
    retainedFrom: answer.retained_from,
  };
}

export const weekHoursQuery = (subject: Subject, { period, filters }: View) =>
  queryOptions({
    queryKey: [...subjectKey(subject), 'week-hours', period, filters],
    queryFn: ({ signal }) => {
      const query = periodQuery(period, filters);
      return subject.id === null
        ? call('getAggregateWeekHours', { query }, signal)
        : call('getWeekHours', { params: { id: subject.id }, query }, signal);
    },
  });

export const scansQuery = (
  subject: Subject & { readonly id: string },
  { period, filters }: View,
  page: number,
) =>
  queryOptions({
    queryKey: [...subjectKey(subject), 'scans', period, filters, page],
    queryFn: ({ signal }) =>
      call(
        'listScans',
        {
          params: { id: subject.id },
          query: { ...periodQuery(period, filters), page, limit: scansPerPage },
        },
        signal,
      ),
  });

/** The newest scans of a code, whenever they were. */
export const latestScansQuery = (subject: Subject & { readonly id: string }, limit: number) =>
  queryOptions({
    queryKey: [...subjectKey(subject), 'latest', limit],
    queryFn: ({ signal }) =>
      call('listScans', { params: { id: subject.id }, query: { page: 1, limit } }, signal),
  });

/** When the account's first code was created; null while it has none. Codes come newest first. */
export const firstCodeQuery = (mode: Mode) =>
  queryOptions({
    queryKey: [mode, 'codes', 'first'],
    queryFn: async ({ signal }) => {
      const newest = await call('browseQrCodes', { query: { limit: 1 } }, signal);
      const { total } = newest.pagination;
      const oldest =
        total > 1 ? await call('browseQrCodes', { query: { limit: 1, page: total } }, signal) : newest;
      return oldest.data[0]?.created_at ?? null;
    },
    staleTime: 600_000,
  });
