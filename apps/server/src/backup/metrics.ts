import { Gauge, type Registry } from 'prom-client';
import type { LastBackup } from './record.ts';

export type BackupMetrics = {
  /** Null if it could not be read: no figure is better than a stale one. */
  set(last: LastBackup | null): void;
};

export function createBackupMetrics(registry: Registry): BackupMetrics {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const age = gauge(
    'signpost_backup_age_seconds',
    'Seconds since the last complete backup was finished; NaN if none was ever recorded.',
  );
  const missing = gauge(
    'signpost_backup_missing_seconds',
    'Seconds for which no backup has been recorded; 0 once there is one.',
  );
  const metrics: BackupMetrics = {
    set(last) {
      age.set(last && last.kind !== 'none' ? last.ageSeconds : Number.NaN);
      missing.set(last ? (last.kind === 'none' ? last.waitingSeconds : 0) : Number.NaN);
    },
  };
  metrics.set(null);
  return metrics;
}
