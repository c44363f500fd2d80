import { Box, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import type { CSSProperties } from 'react';
import { analyticsText } from '../../strings/analytics.ts';
import { formatNumber } from '../../ui/format.ts';
import classes from './heat-map.module.css';
import { scanCount } from './scan-count.ts';
import { busiestHour, hoursName, type WeekHour, weekTable } from './week-hours.ts';

type Props = { readonly hours: readonly WeekHour[] };

const text = analyticsText.weekHours;

/** When in the week people scan: a table whose numbers are colours, and are there for screen readers too. */
export function HeatMap({ hours }: Props) {
  const busiest = busiestHour(hours);
  const most = Math.max(1, busiest?.total_scans ?? 0);
  return (
    <Stack gap="xs">
      {busiest && (
        <Text size="sm">
          {text.busiest(text.days[busiest.weekday - 1]!, hoursName(busiest.hour))} (
          {scanCount(busiest.total_scans)})
        </Text>
      )}
      <Box className={classes.scroll}>
        <table className={classes.table} aria-label={text.caption}>
          <thead>
            <tr>
              <th scope="col">
                <VisuallyHidden>{text.weekday}</VisuallyHidden>
              </th>
              {Array.from({ length: 24 }, (_, hour) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the hours of the day never change places.
                <th scope="col" key={hour} data-hour={hour}>
                  {hour % 3 === 0 ? hour : <VisuallyHidden>{hour}</VisuallyHidden>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weekTable(hours).map((row, day) => (
              <tr key={text.days[day]}>
                <th scope="row">
                  <span aria-hidden="true">{text.days[day]!.slice(0, 3)}</span>
                  <VisuallyHidden>{text.days[day]}</VisuallyHidden>
                </th>
                {row.map((scans, hour) => (
                  <td
                    // biome-ignore lint/suspicious/noArrayIndexKey: the hours of the day never change places.
                    key={hour}
                    title={text.cell(text.days[day]!, hoursName(hour), scanCount(scans))}
                    style={{ '--share': shareOf(scans, most) } as CSSProperties}
                  >
                    <VisuallyHidden>{formatNumber(scans)}</VisuallyHidden>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Box>
      <Group gap="xs" justify="flex-end" aria-hidden>
        <Text size="xs" c="dimmed">
          {text.less}
        </Text>
        <div className={classes.scale} />
        <Text size="xs" c="dimmed">
          {text.more}
        </Text>
      </Group>
    </Stack>
  );
}

/** An hour with one scan is told apart from one without. */
const shareOf = (scans: number, most: number): string =>
  scans ? `${Math.round(18 + 82 * (scans / most))}%` : '0%';
