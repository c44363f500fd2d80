import type { LiveScan } from '@signpost/contract';
import { useEffect, useEffectEvent, useState } from 'react';
import { currentAccount } from './account.ts';
import { useMode } from './mode.ts';
import { useOnline } from './online.ts';
import { pathOf } from './paths.ts';
import { queryClient } from './query-client.ts';
import { searchOf } from './request.ts';

export type LiveState = 'connecting' | 'live' | 'away';

type Listener = {
  /** Each new scan, once. */
  readonly onScan: (scan: LiveScan) => void;
  /** Something may have been missed: read again. Once at the start too, for what came while the page was loading. */
  readonly onGap?: () => void;
};

/** How long to wait after a refusal; a mere break of the line is mended by the browser itself. */
const retryMs = 5_000;

/** New scans of a code, or of all codes, as they come in; after a break from where it was. */
export function useLiveScans(qrId: string | undefined, { onScan, onGap }: Listener): LiveState {
  const mode = useMode();
  // The browser may keep a connection that has been cut open for minutes.
  const isOnline = useOnline();
  const [state, setState] = useState<LiveState>('connecting');
  const scanned = useEffectEvent(onScan);
  const missed = useEffectEvent(() => onGap?.());

  useEffect(() => {
    let source: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last: string | undefined;

    function open(): void {
      const query = { mode, account: currentAccount(), qr_id: qrId, last_event_id: last };
      source = new EventSource(pathOf('liveScans') + searchOf(query));
      source.addEventListener('ready', () => {
        setState('live');
        if (last === undefined) missed();
      });
      source.addEventListener('gap', missed);
      source.addEventListener('scan', event => {
        last = event.lastEventId || undefined;
        scanned(JSON.parse(event.data) as LiveScan);
      });
      source.addEventListener('error', () => {
        setState('away');
        if (source?.readyState !== EventSource.CLOSED) return;
        // Refused, not merely cut off: if the session has ended, asking who is signed in opens the sign-in.
        void queryClient.invalidateQueries({ queryKey: ['me'] });
        timer = setTimeout(open, retryMs);
      });
    }

    open();
    return () => {
      clearTimeout(timer);
      source?.close();
    };
  }, [mode, qrId]);

  return isOnline ? state : 'away';
}
