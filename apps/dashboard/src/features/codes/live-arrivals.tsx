import { Group, List, Stack } from '@mantine/core';
import type { LiveScan, QrCode } from '@signpost/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLiveScans } from '../../api/live.ts';
import { useMode } from '../../api/mode.ts';
import { Figure } from '../../ui/figure.tsx';
import { nameOfAgent, placeName } from '../../ui/format.ts';
import { LiveBadge } from '../../ui/live-badge.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { codeQuery } from './queries.ts';
import { WaitingForScan } from './waiting-for-scan.tsx';

const mostShown = 5;

/** The figures of a code, counting on while one watches. */
export function LiveArrivals({ code }: { readonly code: QrCode }) {
  const mode = useMode();
  const client = useQueryClient();
  const [arrived, setArrived] = useState<readonly LiveScan[]>([]);
  const { queryKey } = codeQuery(mode, code.id);
  const state = useLiveScans(code.id, {
    onScan: scan => {
      setArrived(before => [scan, ...before].slice(0, mostShown));
      void client.invalidateQueries({ queryKey });
    },
    onGap: () => void client.invalidateQueries({ queryKey }),
  });
  const isStopped = code.availability.state === 'suspended' || code.availability.state === 'held';
  const waiting = code.total_scans === 0 && arrived.length === 0;

  return (
    <Panel title="Scans" aside={isStopped ? null : <LiveBadge state={state} />}>
      {waiting ? (
        <WaitingForScan code={code} />
      ) : (
        <Stack gap="md" aria-live="polite">
          <Group gap={48} className="figures">
            <Figure label="Scans" value={Math.max(code.total_scans, arrived.length)} />
            <Figure label="Unique" value={code.unique_scans} />
          </Group>
          {arrived.length > 0 && (
            <List size="sm" spacing={4} listStyleType="none" aria-label="Scans that have just come in">
              {arrived.map(scan => (
                <List.Item key={scan.id}>
                  <b>{placeName(scan)}</b>, {nameOfAgent(scan.device)}, <TimeAgo value={scan.timestamp} />
                </List.Item>
              ))}
            </List>
          )}
        </Stack>
      )}
    </Panel>
  );
}
