import { Counter, Gauge, type Registry } from 'prom-client';
import type { IngestCounters } from './ingest.ts';

/** What ingest tells Prometheus. */
export function createIngestMetrics(registry: Registry): IngestCounters {
  const counter = (name: string, help: string) =>
    new Counter({ name: `signpost_ingest_${name}_total`, help, registers: [registry] });
  const stored = counter('scans_stored', 'Scans written to ClickHouse.');
  const repeated = counter('scans_repeated', 'Scans left out because their batch had been counted before.');
  const dead = counter('scans_of_deleted_codes', 'Scans left out because their code was deleted.');
  const setAside = counter('entries_set_aside', 'Log entries that could not be taken; see ingest_set_aside.');
  const trimmed = counter(
    'entries_trimmed',
    'Log entries that left the log before they were counted: their scans are lost.',
  );
  const stopped = new Gauge({
    name: 'signpost_ingest_stopped',
    help: '1 where a shard stands still at an entry in a layout that this version does not know.',
    labelNames: ['shard'],
    registers: [registry],
  });
  const interrupted = counter('interruptions', 'Times that ingest waited for an engine or began anew.');
  return {
    stored: scans => stored.inc(scans),
    repeated: scans => repeated.inc(scans),
    ofDeletedCodes: scans => dead.inc(scans),
    setAside: entries => setAside.inc(entries),
    trimmed: entries => trimmed.inc(entries),
    stopped: (shard, isStopped) => stopped.set({ shard }, Number(isStopped)),
    interrupted: () => interrupted.inc(),
  };
}
