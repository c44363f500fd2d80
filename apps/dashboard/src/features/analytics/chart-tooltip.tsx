import { Text } from '@mantine/core';
import { analyticsText as text } from '../../strings/analytics.ts';
import { Dot } from '../../ui/dot.tsx';
import { formatDateTime, formatNumber } from '../../ui/format.ts';
import type { Bucket } from './buckets.ts';
import type { Marker } from './markers.ts';
import type { Interval } from './periods.ts';
import { bucketWords } from './series.ts';
import classes from './series-chart.module.css';

type Props = {
  readonly bucket: Bucket;
  readonly interval: Interval;
  readonly markers: readonly Marker[];
  /** The middle of the bar, and the width of the chart: the tooltip stands on the side with more room. */
  readonly x: number;
  readonly width: number;
};

/** One bar in words. */
export function ChartTooltip({ bucket, interval, markers, x, width }: Props) {
  const { scans, visitors, before } = bucket;
  const rows = [
    ['scans', text.scans, scans],
    ['visitors', text.uniqueVisitors, visitors],
    ...(before === null ? [] : [['before', text.periodBefore, before] as const]),
  ] as const;
  return (
    <div
      className={classes.tooltip}
      style={x > width / 2 ? { right: width - x + 12 } : { left: x + 12 }}
      data-tooltip
    >
      <Text inherit fw={500}>
        {bucketWords(bucket, interval)}
      </Text>
      {rows.map(([of, label, value]) => (
        <div key={of}>
          <span className={classes.swatch} data-of={of} />
          {label}: {formatNumber(value)}
        </div>
      ))}
      {markers.map(marker => (
        <Text inherit key={marker.id} mt={4} style={{ overflowWrap: 'anywhere' }}>
          {marker.text}
          <Dot />
          {formatDateTime(marker.at)}
        </Text>
      ))}
    </div>
  );
}
