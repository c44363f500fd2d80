import { Group, Stack, Text } from '@mantine/core';
import type { LiveScan, QrCode, ScanRecord } from '@signpost/contract';
import { useIsMutating, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLiveRefresh } from '../../api/live-refresh.ts';
import { useMode } from '../../api/mode.ts';
import { codesText } from '../../strings/codes.ts';
import { Figure } from '../../ui/figure.tsx';
import { nameOfAgent, placeName } from '../../ui/format.ts';
import { LiveBadge } from '../../ui/live-badge.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { latestScansQuery, subjectKey } from '../analytics/queries.ts';
import { LastMonth } from './last-month.tsx';
import classes from './live-arrivals.module.css';
import { codeQuery, deletionKey } from './queries.ts';
import { NoScans, WaitingForScan } from './waiting-for-scan.tsx';

const mostShown = 5;
const text = codesText.scans;

/** The figures of a code, counting on while one watches. */
export function LiveArrivals({ code }: { readonly code: QrCode }) {
  const mode = useMode();
  const { queryKey } = codeQuery(mode, code.id);
  const subject = { mode, id: code.id };
  // A code that is being deleted is not read again: it would be an error that nobody made.
  const isBeingDeleted = useIsMutating({ mutationKey: deletionKey(code.id) }) > 0;
  const [arrived, setArrived] = useState<readonly LiveScan[]>([]);
  const state = useLiveRefresh(code.id, isBeingDeleted ? [] : [queryKey, subjectKey(subject)], scan =>
    setArrived(before => [scan, ...before].slice(0, mostShown)),
  );
  const isLive = code.availability.state === 'live';
  const isUnscanned = code.total_scans === 0 && arrived.length === 0;
  const stored = useQuery({
    ...latestScansQuery(subject, mostShown),
    enabled: !isUnscanned && !isBeingDeleted,
  });
  const latest = latestOf(arrived, stored.data?.data ?? []);

  return (
    <Panel title={text.title} aside={isLive ? <LiveBadge state={state} /> : null}>
      {!isLive && <NoScans code={code} />}
      {isLive && isUnscanned && <WaitingForScan code={code} />}
      {!isUnscanned && (
        <Stack gap="md">
          <Group gap={48} className="figures" aria-live="polite">
            <Figure label={text.total} value={Math.max(code.total_scans, arrived.length)} />
            <Figure label={text.unique} value={code.unique_scans} />
          </Group>
          {code.total_scans > 0 && !isBeingDeleted && <LastMonth code={code} />}
          {latest.length > 0 && (
            <div>
              <Text size="sm" fw={500} mb={4}>
                {text.latest}
              </Text>
              <ul className={classes.latest} aria-label={text.latest} aria-live="polite">
                {latest.map(scan => (
                  <li key={scan.id}>
                    <span className={classes.place} title={placeName(scan)}>
                      {placeName(scan)}
                    </span>
                    <Text span inherit c="dimmed">
                      {nameOfAgent(scan.device)}
                    </Text>
                    <Text span inherit c="dimmed" ta="right">
                      <TimeAgo value={scan.timestamp} />
                    </Text>
                  </li>
                ))}
              </ul>
            </div>
          )}
        </Stack>
      )}
    </Panel>
  );
}

/** What the stream has brought is newer than what was read, or a part of it. */
function latestOf(arrived: readonly LiveScan[], stored: readonly ScanRecord[]) {
  const known = new Set(stored.map(({ id }) => id));
  return [...arrived.filter(({ id }) => !known.has(id)), ...stored].slice(0, mostShown);
}
