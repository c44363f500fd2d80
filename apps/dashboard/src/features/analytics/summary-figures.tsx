import { Group, Stack, Text } from '@mantine/core';
import type { LiveState } from '../../api/live.ts';
import { analyticsText as text } from '../../strings/analytics.ts';
import { Dot } from '../../ui/dot.tsx';
import { LiveBadge } from '../../ui/live-badge.tsx';
import { useAccount } from '../shell/me.ts';
import { AboutUniques } from './about-uniques.tsx';
import { dailyAverage } from './buckets.ts';
import { Figures } from './figures.tsx';
import { periodName } from './period-name.ts';
import { dayOf, type Period } from './periods.ts';
import type { Report } from './queries.ts';

type Props = {
  readonly report: Report;
  readonly live: LiveState;
  /** The day on which the code was created, or the first code of the account. */
  readonly birth: string | null;
  readonly before: { readonly period: Period; readonly report: Omit<Report, 'view'> | undefined } | null;
};

/** The figures of a period beside those of the one before, with how they are counted. */
export function SummaryFigures({ report, live, birth, before }: Props) {
  const isSuspended = useAccount().suspension !== null;
  const { summary, view } = report;
  const earlier = before?.report?.summary;
  const today = dayOf(new Date());
  const average = (scans: number, period: Period) => dailyAverage(scans, period, today, birth);
  const beforeDays = before && { ...before.period, end: dayOf(endOf(before.period)) };
  return (
    <Stack gap="xs">
      <Figures
        figures={[
          { label: text.scans, value: summary.total_scans, before: earlier?.total_scans },
          { label: text.uniqueVisitors, value: summary.unique_visitors, before: earlier?.unique_visitors },
          {
            label: text.dailyAverage,
            value: average(summary.total_scans, view.period),
            before: earlier && beforeDays ? average(earlier.total_scans, beforeDays) : undefined,
          },
          ...(summary.qr_codes === undefined ? [] : [{ label: text.codes, value: summary.qr_codes }]),
        ]}
      />
      <Group gap="sm" justify="space-between">
        <Text size="sm" c="dimmed">
          {before ? text.change.against(periodName(before.period)) : text.change.none}
          <Dot />
          <AboutUniques />
        </Text>
        {!isSuspended && <LiveBadge state={live} />}
      </Group>
    </Stack>
  );
}

/** A period before that is compared to the same time of day ends with a moment. */
const endOf = ({ end }: Period): Date => new Date(end.length > 10 ? end : `${end}T00:00:00`);
