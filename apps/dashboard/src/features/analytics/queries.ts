import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Mode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import type { Interval, Period } from './periods.ts';

/** Days begin and end where the viewer is. */
const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;

export const periodQuery = ({ start, end }: Period) => ({ start_date: start, end_date: end, timezone });

export const scansPerPage = 10;

export const summaryQuery = (mode: Mode, id: string, period: Period) =>
  queryOptions({
    queryKey: [mode, 'analytics', id, 'summary', period],
    queryFn: ({ signal }) => call('getAnalytics', { params: { id }, query: periodQuery(period) }, signal),
    placeholderData: keepPreviousData,
  });

export const seriesQuery = (mode: Mode, id: string, period: Period, interval: Interval) =>
  queryOptions({
    queryKey: [mode, 'analytics', id, 'series', period, interval],
    queryFn: ({ signal }) =>
      call('getTimeseries', { params: { id }, query: { ...periodQuery(period), interval } }, signal),
    placeholderData: keepPreviousData,
  });

export const scansQuery = (mode: Mode, id: string, period: Period, page: number) =>
  queryOptions({
    queryKey: [mode, 'analytics', id, 'scans', period, page],
    queryFn: ({ signal }) =>
      call(
        'listScans',
        { params: { id }, query: { ...periodQuery(period), page, limit: scansPerPage } },
        signal,
      ),
    placeholderData: keepPreviousData,
  });

export const aggregateQuery = (mode: Mode, period: Period, interval: Interval) =>
  queryOptions({
    queryKey: [mode, 'aggregate', period, interval],
    queryFn: ({ signal }) =>
      call('getAggregateAnalytics', { query: { ...periodQuery(period), interval } }, signal),
    placeholderData: keepPreviousData,
  });
