import { Counter, Gauge, type Registry } from 'prom-client';
import type { IngestCounters } from './ingest.ts';

export function createIngestMetrics(registry: Registry): IngestCounters {
  const counter = (name: string, help: string) =>
    new Counter({ name: `signpost_ingest_${name}_total`, help, registers: [registry] });
  const stored = counter('scans_stored', 'Scans whose rows are stored.');
  const repeated = counter('scans_repeated', 'Scans skipped because their batch had been counted before.');
  const ofDeletedCodes = counter('scans_of_deleted_codes', 'Scans skipped because their code was deleted.');
  const quarantined = counter(
    'entries_quarantined',
    'Invalid log entries that were moved to the table ingest_quarantine.',
  );
  const trimmed = counter(
    'entries_trimmed',
    'Log entries that were trimmed before they were counted: their scans are lost.',
  );
  const stopped = new Gauge({
    name: 'signpost_ingest_stopped',
    help: '1 if a shard is stopped at an entry in a layout that this version does not know.',
    labelNames: ['shard'],
    registers: [registry],
  });
  const interrupted = counter('interruptions', 'Times that ingest restarted after a failure.');
  return {
    stored: scans => stored.inc(scans),
    repeated: scans => repeated.inc(scans),
    ofDeletedCodes: scans => ofDeletedCodes.inc(scans),
    quarantined: entries => quarantined.inc(entries),
    trimmed: entries => trimmed.inc(entries),
    stopped: (shard, isStopped) => stopped.set({ shard }, Number(isStopped)),
    interrupted: () => interrupted.inc(),
  };
}
