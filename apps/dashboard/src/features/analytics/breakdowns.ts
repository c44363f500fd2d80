import type { AnalyticsSummary } from '@signpost/contract';
import { countryName, nameOfAgent, placeName } from '../../ui/format.ts';
import { type Filters, parseFilters } from './filters.ts';

/** One line of a ranking, and what the page shows after a click on it; what cannot be filtered by has none. */
export type Bar = {
  readonly key: string;
  readonly label: string;
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
