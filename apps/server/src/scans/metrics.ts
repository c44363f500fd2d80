import type { Registry } from 'prom-client';
import type { Clock } from '../kernel/clock.ts';
import { addGauge } from '../platform/metrics.ts';
import type { ScanWriter } from './scan-writer.ts';
import type { SpoolDisk } from './spool/disk.ts';
import type { SpoolReserve } from './spool/reserve.ts';

/** Gauges of the scan writer and its spool, read at every scrape. */
export function createScanMetrics(
  registry: Registry,
  writer: Pick<ScanWriter, 'pending' | 'spooled' | 'held' | 'roundTripMs'>,
  clock: Clock,
  spoolMaxBytes: number,
  disk: Pick<SpoolDisk, 'freeBytes'>,
  reserve: Pick<SpoolReserve, 'bytes'>,
): void {
  const gauge = (name: string, help: string, value: () => number) =>
    addGauge(registry, `signpost_${name}`, help, value);
  gauge(
    'scans_pending',
    'Scans that are in neither the log nor the spool yet; their redirects are waiting.',
    () => writer.pending(),
  );
  gauge(
    'scans_in_memory',
    'Scans that were answered and are in memory only, because neither the log nor the disk takes them. A killed process loses them.',
    () => writer.held().scans,
  );
  gauge('scans_in_memory_bytes', 'The memory that they take.', () => writer.held().bytes);
  gauge(
    'scans_in_memory_limit_bytes',
    'The limit of that memory (SPOOL_MEMORY_MB). Beyond it scans are lost.',
    () => writer.held().maxBytes,
  );
  gauge(
    'scan_log_round_trip_seconds',
    'How long the scan log takes to ack an append, smoothed: from 0.05 on, scanners wait for the disk of this machine instead. NaN before the first ack.',
    () => (writer.roundTripMs() ?? Number.NaN) / 1_000,
  );
  gauge(
    'spool_bytes',
    'Bytes of spooled scans that the log has not acked yet.',
    () => writer.spooled().bytes,
  );
  gauge('spool_limit_bytes', 'The limit of the spool of this process (SPOOL_MAX_MB).', () => spoolMaxBytes);
  gauge(
    'spool_disk_free_bytes',
    'Free bytes on the disk of SPOOL_DIR; NaN if the disk does not answer.',
    () => disk.freeBytes(),
  );
  gauge(
    'spool_reserve_bytes',
    'Bytes on the disk of SPOOL_DIR that are kept in reserve for when it is full; 0 once they are used, and where the disk never had room for them.',
    () => reserve.bytes(),
  );
  gauge('spool_segments', 'Segment files in the spool.', () => writer.spooled().segments);
  gauge('spool_oldest_seconds', 'The age of the oldest spooled scans; 0 if there are none.', () => {
    const { oldestAtMs } = writer.spooled();
    return oldestAtMs === null ? 0 : Math.max(0, (clock.now().getTime() - oldestAtMs) / 1_000);
  });
}
