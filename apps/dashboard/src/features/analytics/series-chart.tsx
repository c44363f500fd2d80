import { AreaChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import type { SeriesEntry } from '@signpost/contract';
import { formatCompact, formatNumber } from '../../ui/format.ts';
import type { Interval } from './periods.ts';
import { entryLabel } from './series.ts';

type Props = { readonly series: readonly SeriesEntry[]; readonly interval: Interval };

/** Scans and visitors over time. */
export function SeriesChart({ series, interval }: Props) {
  const data = series.map(entry => ({
    label: entryLabel(entry.date, interval),
    Scans: entry.total_scans,
    'Unique visitors': entry.unique_visitors,
  }));
  const sum = series.reduce((total, entry) => total + entry.total_scans, 0);
  return (
    <div role="img" aria-label={`Scans over time, ${formatNumber(sum)} in all, by ${interval}`}>
      <AreaChart
        h={280}
        data={data}
        dataKey="label"
        series={[
          { name: 'Scans', color: 'signpost.6' },
          { name: 'Unique visitors', color: 'gray.6' },
        ]}
        curveType="monotone"
        withDots={data.length < 40}
        withLegend
        legendProps={{ verticalAlign: 'top', height: 36 }}
        gridAxis="x"
        tickLine="none"
        valueFormatter={value => formatNumber(value)}
        yAxisProps={{
          tickFormatter: (value: number) => formatCompact(value),
          allowDecimals: false,
          width: 48,
        }}
        xAxisProps={{ minTickGap: 32 }}
        yAxisLabel="Scans"
        fillOpacity={0.16}
        strokeWidth={2}
      />
    </div>
  );
}
