import { Group, Stack, Text } from '@mantine/core';
import type { QrCode } from '@signpost/contract';
import { useQuery } from '@tanstack/react-query';
import { useMode } from '../../api/mode.ts';
import { codesText } from '../../strings/codes.ts';
import { formatDate, formatNumber } from '../../ui/format.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { LinkAnchor } from '../../ui/router-link.tsx';
import { type Bucket, bucketsOf } from '../analytics/buckets.ts';
import { ChangeMark } from '../analytics/change-mark.tsx';
import { isComparable, periodBefore } from '../analytics/comparison.ts';
import { dayOf } from '../analytics/periods.ts';
import { beforeQuery, type Report, reportQuery } from '../analytics/queries.ts';
import { viewOf } from '../analytics/search.ts';
import classes from './last-month.module.css';

const text = codesText.scans;

/** The last 30 days, with the figures that the tab of analytics opens with. */
export function LastMonth({ code }: { readonly code: QrCode }) {
  const subject = { mode: useMode(), id: code.id };
  const view = viewOf({}, { birth: dayOf(new Date(code.created_at)) });
  const report = useQuery(reportQuery(subject, view));
  return (
    <QueryView query={report} lines={1} height={88}>
      {answer => <Month code={code} report={answer} />}
    </QueryView>
  );
}

function Month({ code, report }: { readonly code: QrCode; readonly report: Report }) {
  const subject = { mode: useMode(), id: code.id };
  const { view, summary, series, retainedFrom } = report;
  const bornMs = Date.parse(code.created_at);
  const wanted = periodBefore(view.period, view.preset);
  const before = isComparable(wanted, bornMs) && retainedFrom === undefined ? wanted : null;
  const earlier = useQuery(beforeQuery(subject, before, view));
  const scans = summary.total_scans;
  const scansBefore = earlier.data?.summary.total_scans;
  const { interval, period } = view;
  const buckets = bucketsOf({ series, before: null, interval, period, nowMs: Date.now(), bornMs });
  return (
    <Stack gap={8}>
      <Group gap="xs" justify="space-between">
        <Group gap="xs" className="figures">
          <Text size="sm" fw={500}>
            {text.lastMonth(scans)}
          </Text>
          {scansBefore !== undefined && (scans > 0 || scansBefore > 0) && (
            <ChangeMark value={scans} before={scansBefore} />
          )}
        </Group>
        <LinkAnchor to="/codes/$id/analytics" params={{ id: code.id }} size="sm">
          {text.toAnalytics}
        </LinkAnchor>
      </Group>
      {scans > 0 && <Bars buckets={buckets} />}
    </Stack>
  );
}

/** A bar a day; a day that still runs is lighter. The sum is in the words above, the days are in the analytics. */
function Bars({ buckets }: { readonly buckets: readonly Bucket[] }) {
  const most = Math.max(1, ...buckets.map(({ scans }) => scans));
  return (
    <div className={classes.bars} aria-hidden="true">
      {buckets.map(({ date, startMs, scans, state }) => (
        <div
          key={date}
          className={classes.day}
          title={text.onDay(scans, formatDate(new Date(startMs)))}
          data-scans={formatNumber(scans)}
        >
          <div
            className={classes.bar}
            style={{ height: `${(100 * scans) / most}%` }}
            data-running={state === 'running' || undefined}
          />
        </div>
      ))}
    </div>
  );
}
