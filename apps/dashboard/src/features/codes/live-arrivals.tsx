import { Group, List, Stack, Text } from '@mantine/core';
import type { LiveScan, QrCode } from '@signpost/contract';
import { useIsMutating } from '@tanstack/react-query';
import { useState } from 'react';
import { useLiveRefresh } from '../../api/live-refresh.ts';
import { useMode } from '../../api/mode.ts';
import { codesText } from '../../strings/codes.ts';
import { Figure } from '../../ui/figure.tsx';
import { nameOfAgent, placeName } from '../../ui/format.ts';
import { LiveBadge } from '../../ui/live-badge.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { codeQuery, deletionKey } from './queries.ts';
import { NoScans, WaitingForScan } from './waiting-for-scan.tsx';

const mostShown = 5;
const text = codesText.scans;

/** The figures of a code, counting on while one watches. */
export function LiveArrivals({ code }: { readonly code: QrCode }) {
  const mode = useMode();
  const [arrived, setArrived] = useState<readonly LiveScan[]>([]);
  const { queryKey } = codeQuery(mode, code.id);
  // A code that is being deleted is not read again: it would be an error that nobody made.
  const isBeingDeleted = useIsMutating({ mutationKey: deletionKey(code.id) }) > 0;
  const state = useLiveRefresh(code.id, isBeingDeleted ? [] : [queryKey], scan =>
    setArrived(before => [scan, ...before].slice(0, mostShown)),
  );
  const isLive = code.availability.state === 'live';
  const isUnscanned = code.total_scans === 0 && arrived.length === 0;

  return (
    <Panel title={text.title} aside={isLive ? <LiveBadge state={state} /> : null}>
      {!isLive && <NoScans code={code} />}
      {isLive && isUnscanned && <WaitingForScan code={code} />}
      {!isUnscanned && (
        <Stack gap="md" aria-live="polite">
          <Group gap={48} className="figures">
            <Figure label={text.total} value={Math.max(code.total_scans, arrived.length)} />
            <Figure label={text.unique} value={code.unique_scans} />
          </Group>
          {arrived.length > 0 && (
            <List size="sm" spacing={4} listStyleType="none" aria-label={text.arrived}>
              {arrived.map(scan => (
                <List.Item key={scan.id}>
                  <Text span inherit fw={500}>
                    {placeName(scan)}
                  </Text>
                  , {nameOfAgent(scan.device)}, <TimeAgo value={scan.timestamp} />
                </List.Item>
              ))}
            </List>
          )}
        </Stack>
      )}
    </Panel>
  );
}
