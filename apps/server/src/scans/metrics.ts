import type { Registry } from 'prom-client';
import type { Clock } from '../kernel/clock.ts';
import { addGauge } from '../platform/metrics.ts';
import type { ScanKeeper } from './scan-keeper.ts';
import type { SpoolDisk } from './spool-disk.ts';

/** What the keeping of scans tells Prometheus, asked whenever it looks. */
export function createScanMetrics(
  registry: Registry,
  keeper: Pick<ScanKeeper, 'pending' | 'spooled'>,
  clock: Clock,
  spoolMaxBytes: number,
  disk: Pick<SpoolDisk, 'freeBytes'>,
): void {
  const gauge = (name: string, help: string, value: () => number) =>
    addGauge(registry, `signpost_${name}`, help, value);
  gauge('scans_pending', 'Scans that are neither in the log nor on the disk yet; their scanners wait.', () =>
    keeper.pending(),
  );
  gauge(
    'spool_bytes',
    'Scans on the disk of this process that the log has not taken.',
    () => keeper.spooled().bytes,
  );
  gauge('spool_limit_bytes', 'The most that this process spools (SPOOL_MAX_MB).', () => spoolMaxBytes);
  gauge('spool_disk_free_bytes', 'Room on the disk of SPOOL_DIR; NaN where the disk does not say.', () =>
    disk.freeBytes(),
  );
  gauge('spool_segments', 'Files of the spool.', () => keeper.spooled().segments);
  gauge('spool_oldest_seconds', 'The age of the oldest spooled scans; 0 where none are.', () => {
    const { oldestAtMs } = keeper.spooled();
    return oldestAtMs === null ? 0 : Math.max(0, (clock.now().getTime() - oldestAtMs) / 1_000);
  });
}
