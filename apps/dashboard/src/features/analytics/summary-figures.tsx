import { Group } from '@mantine/core';
import type { AnalyticsSummary } from '@signpost/contract';
import type { LiveState } from '../../api/live.ts';
import { LiveBadge } from '../../ui/live-badge.tsx';
import { useRefusal } from '../shell/use-refusal.ts';
import { AboutUniques } from './about-uniques.tsx';
import { Figures } from './figures.tsx';

type Props = {
  readonly summary: AnalyticsSummary['summary'] & { readonly qr_codes?: number };
  readonly live: LiveState;
};

/** The figures of a period, with how they are counted, and whether new scans are being listened for. */
export function SummaryFigures({ summary, live }: Props) {
  const isSuspended = useRefusal() !== undefined;
  return (
    <>
      <Figures
        figures={[
          { label: 'Scans', value: summary.total_scans },
          { label: 'Unique visitors', value: summary.unique_visitors },
          { label: 'Scans a day', value: summary.avg_daily_scans },
          ...(summary.qr_codes === undefined ? [] : [{ label: 'Codes', value: summary.qr_codes }]),
        ]}
      />
      <Group gap="sm" justify="space-between">
        <AboutUniques />
        {!isSuspended && <LiveBadge state={live} />}
      </Group>
    </>
  );
}
