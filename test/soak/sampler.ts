import { readdirSync } from 'node:fs';
import { ask } from '@signpost/testing/client.ts';
import type { TestServer } from '@signpost/testing/server.ts';
import type { Sample } from './assess.ts';

const megabyte = 1024 * 1024;

/** What a process holds now, according to the kernel and to its own metrics. */
export async function sampleOf(process: string, server: TestServer): Promise<Sample> {
  const { pid, metricsUrl, residentMb } = server;
  const fds = readdirSync(`/proc/${pid}/fd`).length;
  const { body } = await ask({ url: metricsUrl, headers: { connection: 'close' } });
  return {
    process,
    rssMb: residentMb,
    heapMb: metricValue(body, 'nodejs_heap_size_used_bytes') / megabyte,
    committedMb: metricValue(body, 'nodejs_heap_size_total_bytes') / megabyte,
    externalMb: metricValue(body, 'nodejs_external_memory_bytes') / megabyte,
    fds,
    handles: metricValue(body, 'nodejs_active_handles_total'),
  };
}

function metricValue(metrics: string, name: string): number {
  const line = metrics.split('\n').find(candidate => candidate.startsWith(`${name}{`));
  return Number(line?.split(' ').at(-1) ?? Number.NaN);
}
