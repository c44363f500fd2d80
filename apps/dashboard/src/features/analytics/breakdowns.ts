import type { AnalyticsSummary } from '@signpost/contract';
import { countryName, nameOfAgent, placeName } from '../../ui/format.ts';
import type { Bar } from './bar-list.tsx';

type Tops = Pick<AnalyticsSummary, 'top_countries' | 'top_cities' | 'devices' | 'browsers'>;

export const countryBars = ({ top_countries }: Tops): readonly Bar[] =>
  top_countries.map(({ country, scans }) => ({ key: country, label: countryName(country), scans }));

export const cityBars = ({ top_cities }: Tops): readonly Bar[] =>
  top_cities.map(place => ({
    key: `${place.country} ${place.city}`,
    label: placeName(place),
    scans: place.scans,
  }));

export const deviceBars = ({ devices }: Tops): readonly Bar[] => barsOf(devices);
export const browserBars = ({ browsers }: Tops): readonly Bar[] => barsOf(browsers);

/** Most first; what nobody used is left out. */
function barsOf(counts: Readonly<Record<string, number>>): readonly Bar[] {
  return Object.entries(counts)
    .filter(([, scans]) => scans > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([key, scans]) => ({ key, label: nameOfAgent(key), scans }));
}
