import { Grid, Skeleton, Stack } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import { analyticsText as text } from '../../strings/analytics.ts';
import { Panel } from '../../ui/panel.tsx';
import { Attribution } from './attribution.tsx';
import { BarList } from './bar-list.tsx';
import { browserBars, cityBars, countryBars, deviceBars } from './breakdowns.ts';
import type { Filters } from './filters.ts';
import type { Report } from './queries.ts';

const WorldMap = lazy(() => import('./world-map.tsx').then(module => ({ default: module.WorldMap })));

type Props = {
  readonly tops: Report['tops'];
  readonly total: number;
  readonly onFilter: (filters: Filters) => void;
  /** When in the week, between where and with what. */
  readonly week: ReactNode;
};

/** Where, when and with what they scanned. */
export function BreakdownPanels({ tops, total, onFilter, week }: Props) {
  const list = { total, onFilter };
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Panel title={text.map.title} h="100%">
          <Suspense fallback={<Skeleton h={300} />}>
            <WorldMap countries={tops.top_countries} onFilter={onFilter} />
          </Suspense>
          <Attribution />
        </Panel>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Panel title={text.countries} h="100%">
          <BarList caption={text.byCountry} bars={countryBars(tops)} {...list} />
        </Panel>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 7 }}>{week}</Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Panel title={text.cities} h="100%">
          <BarList caption={text.byCity} bars={cityBars(tops)} {...list} />
        </Panel>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 6 }}>
        <Panel title={text.devices} h="100%">
          <BarList caption={text.byDevice} bars={deviceBars(tops)} {...list} />
        </Panel>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 6 }}>
        <Stack gap="md" h="100%">
          <Panel title={text.browsers} style={{ flex: 1 }}>
            <BarList caption={text.byBrowser} bars={browserBars(tops)} {...list} />
          </Panel>
        </Stack>
      </Grid.Col>
    </Grid>
  );
}
