import { AsyncLocalStorage } from 'node:async_hooks';
import type { Config } from '../config/config.ts';
import type { InUse } from '../doctor/context.ts';
import { diagnose } from '../doctor/diagnose.ts';
import type { Clock } from '../kernel/clock.ts';
import type { SetupReport } from '../operator/admin.ts';

type Parts = InUse & { readonly config: Config; readonly clock: Clock };

/**
 * What `signpost doctor` checks, for the dashboard. It has connections of its own and runs once at a time: calls at the same
 * time share a run, so that no number of them takes more than one.
 */
export function createSetupCheck({ config, clock, ...inUse }: Parts): () => Promise<SetupReport> {
  const outsideRequest = AsyncLocalStorage.snapshot();
  let running: Promise<SetupReport> | null = null;
  const run = async (): Promise<SetupReport> => {
    const findings = await diagnose(config, inUse);
    return { checkedAt: clock.now(), findings };
  };
  return () => {
    running ??= outsideRequest(run).finally(() => {
      running = null;
    });
    return running;
  };
}
