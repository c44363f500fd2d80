import type { UseNavigateResult } from '@tanstack/react-router';
import type { Filters } from './filters.ts';
import { parseFilters } from './filters.ts';
import { type AnalyticsSearch, type PeriodSearch, parsePeriodSearch } from './search.ts';

type Navigate = UseNavigateResult<'/codes/$id/analytics'> | UseNavigateResult<'/analytics'>;

/** Changes what the page shows through its address. A filter is a step that Back takes back; a period is not. */
export function useSearchChange(navigate: Navigate) {
  const change = (next: (search: AnalyticsSearch) => AnalyticsSearch, replace: boolean) =>
    void (navigate as UseNavigateResult<'/analytics'>)({ search: next, replace, resetScroll: false });
  return {
    choosePeriod: (period: PeriodSearch) => change(search => ({ ...period, ...parseFilters(search) }), true),
    addFilters: (filters: Filters) => change(search => ({ ...search, ...filters }), false),
    setFilters: (filters: Filters) => change(search => ({ ...parsePeriodSearch(search), ...filters }), false),
  };
}
