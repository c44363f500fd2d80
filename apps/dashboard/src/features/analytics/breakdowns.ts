import type { AnalyticsSummary } from '@signpost/contract';
import { analyticsText as text } from '../../strings/analytics.ts';
import { countryName, nameOfAgent, placeName } from '../../ui/format.ts';
import { type CodeNames, type Filters, parseFilters } from './filters.ts';
import type { Report } from './queries.ts';

/** One line of a ranking, and what the page shows after a click on it; what cannot be filtered by has none. */
export type Bar = {
  readonly key: string;
  readonly label: string;
  /** What tells it from others with the same label. */
  readonly detail?: string;
  readonly scans: number;
  readonly filter?: Filters;
};

type Tops = Pick<AnalyticsSummary, 'top_countries' | 'top_cities' | 'devices' | 'browsers'>;

export const countryBars = ({ top_countries }: Tops): readonly Bar[] =>
  top_countries.map(({ country, scans }) => ({
    key: country,
    label: countryName(country),
    scans,
    filter: { country },
  }));

/** A city is one of its country: there are many a Paris. */
export const cityBars = ({ top_cities }: Tops): readonly Bar[] =>
  top_cities.map(({ city, country, scans }) => ({
    key: `${country} ${city}`,
    label: placeName({ city, country }),
    scans,
    ...(city ? { filter: { country, city } } : {}),
  }));

export const deviceBars = ({ devices }: Tops): readonly Bar[] => barsOf('device', devices);
export const browserBars = ({ browsers }: Tops): readonly Bar[] => barsOf('browser', browsers);

/** Most first; what nobody used is left out. */
function barsOf(kind: 'device' | 'browser', counts: Readonly<Record<string, number>>): readonly Bar[] {
  return Object.entries(counts)
    .filter(([, scans]) => scans > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([key, scans]) => ({
      key,
      label: nameOfAgent(key),
      scans,
      filter: parseFilters({ [kind]: key }),
    }));
}

const mostBars = 10;

/** Where a code is printed, most scanned first. */
export const placementBars = ({ placements }: Pick<Report, 'placements'>, names: CodeNames): readonly Bar[] =>
  mostScanned(placements.filter(({ key, scans }) => key !== '' || scans > 0)).map(({ key, scans }) => ({
    key,
    label: names.placement(key),
    scans,
    filter: { placement: key },
  }));

/** Where scans led, most first, each with the rule that leads there. */
export const targetBars = (
  { targets }: Pick<Report, 'targets'>,
  names: CodeNames,
  ruleOf: (id: string) => string | undefined,
): readonly Bar[] =>
  mostScanned(targets).map(({ target_id, rule_id, scans }) => ({
    key: target_id ?? 'default',
    label: names.target(target_id ?? 'default'),
    detail: rule_id === null ? text.noRule : (ruleOf(rule_id) ?? text.earlierRule),
    scans,
    filter: { target_id: target_id ?? 'default' },
  }));

const mostScanned = <Item extends { readonly scans: number }>(items: readonly Item[]): readonly Item[] =>
  items.toSorted((a, b) => b.scans - a.scans).slice(0, mostBars);
