import { Group, List, Stack, Text } from '@mantine/core';
import type { Edit } from '@signpost/contract';
import { useRef, useState } from 'react';
import { analyticsText as text } from '../../strings/analytics.ts';
import { formatDateTime } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import type { Bucket } from './buckets.ts';
import { ChartMenu } from './chart-menu.tsx';
import { markersOf } from './markers.ts';
import type { Interval } from './periods.ts';
import classes from './series-chart.module.css';
import { SeriesChart } from './series-chart.tsx';
import { SeriesTable } from './series-table.tsx';

type Props = {
  readonly buckets: readonly Bucket[];
  readonly interval: Interval;
  readonly edits: readonly Edit[];
  /** Of what it is, for the title and the name of a file. */
  readonly name: string;
};

/** The series as a chart or as a table, both to take away, and the changes that it marks. */
export function ChartPanel({ buckets, interval, edits, name }: Props) {
  const picture = useRef<SVGSVGElement>(null);
  const [isTable, setTable] = useState(false);
  const markers = markersOf(edits, buckets);
  const legend = [
    ['scans', text.scans],
    ['visitors', text.uniqueVisitors],
    ...(buckets.some(({ before }) => before !== null) ? [['before', text.periodBefore] as const] : []),
  ] as const;
  return (
    <Panel
      title={text.overTime}
      className={classes.colours!}
      aside={
        <ChartMenu
          buckets={buckets}
          name={name}
          picture={picture}
          isTable={isTable}
          onTable={() => setTable(!isTable)}
        />
      }
    >
      <Stack gap="xs">
        <Group gap="md">
          {legend.map(([of, label]) => (
            <Text key={of} size="xs" c="dimmed">
              <span className={classes.swatch} data-of={of} />
              {label}
            </Text>
          ))}
        </Group>
        {isTable ? (
          <SeriesTable buckets={buckets} interval={interval} />
        ) : (
          <SeriesChart buckets={buckets} interval={interval} markers={markers} picture={picture} />
        )}
      </Stack>
      {markers.length > 0 && (
        <div>
          <Text size="xs" c="dimmed" mb={4} id="chart-changes">
            {text.changes}
          </Text>
          <List size="sm" spacing={2} listStyleType="none" aria-labelledby="chart-changes">
            {markers.map(marker => (
              <List.Item key={marker.id} style={{ overflowWrap: 'anywhere' }}>
                <Text span inherit c="dimmed">
                  {formatDateTime(marker.at)}
                </Text>{' '}
                {marker.text}
              </List.Item>
            ))}
          </List>
        </div>
      )}
    </Panel>
  );
}
