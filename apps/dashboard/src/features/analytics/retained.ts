import { ApiError } from '../../api/api-error.ts';
import { addDays, dayOf, type Period, startOfDay } from './periods.ts';
import type { View } from './search.ts';

/** Scans of the period were removed, and the sums that are left of them do not answer the question. */
export const isNotRetained = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'period_not_retained';

/** The same in whole months, of which there are sums. */
export function inMonths(view: View): View {
  const { start, end } = view.period;
  const last = startOfDay(end);
  const nextMonth = dayOf(new Date(last.getFullYear(), last.getMonth() + 1, 1));
  return {
    ...view,
    preset: null,
    interval: 'month',
    period: { start: `${start.slice(0, 7)}-01`, end: addDays(nextMonth, -1) },
  };
}

/** The part of a period of which there are scans; null if there are none. */
export function retainedPart(period: Period, retainedFrom: string | undefined): Period | null {
  if (retainedFrom === undefined) return period;
  return retainedFrom.slice(0, 10) <= period.end ? { start: retainedFrom, end: period.end } : null;
}
