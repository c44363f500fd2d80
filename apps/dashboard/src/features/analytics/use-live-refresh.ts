import { useThrottledCallback } from '@mantine/hooks';
import type { LiveScan } from '@signpost/contract';
import { useQueryClient } from '@tanstack/react-query';
import { type LiveState, useLiveScans } from '../../api/live.ts';

/** A burst of scans asks for the figures at most this often. */
const refreshMs = 2_000;

/** Keeps figures true while they are looked at: new scans have them read again. */
export function useLiveRefresh(
  qrId: string | undefined,
  keys: readonly (readonly unknown[])[],
  onScan: (scan: LiveScan) => void = () => {},
): LiveState {
  const client = useQueryClient();
  const refresh = useThrottledCallback(() => {
    for (const queryKey of keys) void client.invalidateQueries({ queryKey });
  }, refreshMs);
  return useLiveScans(qrId, {
    onScan: scan => {
      onScan(scan);
      refresh();
    },
    onGap: refresh,
  });
}
