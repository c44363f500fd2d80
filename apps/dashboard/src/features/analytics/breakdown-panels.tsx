import { Grid, Skeleton, Stack } from '@mantine/core';
import type { AnalyticsSummary } from '@signpost/contract';
import { lazy, Suspense } from 'react';
import { Panel } from '../../ui/panel.tsx';
import { Attribution } from './attribution.tsx';
import { BarList } from './bar-list.tsx';
import { browserBars, cityBars, countryBars, deviceBars } from './breakdowns.ts';

const WorldMap = lazy(() => import('./world-map.tsx').then(module => ({ default: module.WorldMap })));

type Props = {
  readonly tops: Pick<AnalyticsSummary, 'top_countries' | 'top_cities' | 'devices' | 'browsers'>;
  readonly total: number;
};

/** Where and with what they scanned. */
export function BreakdownPanels({ tops, total }: Props) {
  const half = { base: 12, md: 6 };
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Panel title="Map" description="The ten countries with most scans" h="100%">
          <Suspense fallback={<Skeleton h={300} />}>
            <WorldMap countries={tops.top_countries} />
          </Suspense>
          <Attribution />
        </Panel>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Panel title="Countries" h="100%">
          <BarList caption="Scans by country" bars={countryBars(tops)} total={total} />
        </Panel>
      </Grid.Col>
      <Grid.Col span={half}>
        <Panel title="Cities" h="100%">
          <BarList caption="Scans by city" bars={cityBars(tops)} total={total} />
        </Panel>
      </Grid.Col>
      <Grid.Col span={half}>
        <Stack gap="lg" h="100%">
          <Panel title="Devices">
            <BarList caption="Scans by device" bars={deviceBars(tops)} total={total} />
          </Panel>
          <Panel title="Browsers" style={{ flex: 1 }}>
            <BarList caption="Scans by browser" bars={browserBars(tops)} total={total} />
          </Panel>
        </Stack>
      </Grid.Col>
    </Grid>
  );
}
