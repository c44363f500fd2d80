import type { LiveScan } from '@signpost/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { type LiveState, useLiveScans } from './live.ts';
import { Throttle } from './throttle.ts';

/** A burst of scans asks for the figures at most this often. */
const refreshMs = 2_000;

/** Keeps figures true while they are looked at: new scans have them read again. */
export function useLiveRefresh(
  qrId: string | undefined,
  keys: readonly (readonly unknown[])[],
  onScan: (scan: LiveScan) => void = () => {},
): LiveState {
  const client = useQueryClient();
  const readAgain = useEffectEvent(async () => {
    await Promise.all(keys.map(queryKey => client.invalidateQueries({ queryKey })));
  });
  const throttle = useRef<Throttle>(undefined);
  useEffect(() => {
    throttle.current = new Throttle(() => readAgain(), refreshMs);
    return () => throttle.current?.stop();
  }, []);
  return useLiveScans(qrId, {
    onScan: scan => {
      onScan(scan);
      throttle.current?.ask();
    },
    onGap: () => throttle.current?.ask(),
  });
}
