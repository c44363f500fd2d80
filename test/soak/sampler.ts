import { readdirSync } from 'node:fs';
import { ask } from '../support/client.ts';
import type { TestServer } from '../support/server.ts';
import type { Sample } from './judge.ts';

const megabyte = 1024 * 1024;

/** What a process holds now: by the system's account, and by its own metrics. */
export async function sampleOf(process: string, server: TestServer): Promise<Sample> {
  const { pid, metricsUrl, residentMb } = server;
  const fds = readdirSync(`/proc/${pid}/fd`).length;
  const { body } = await ask({ url: metricsUrl, headers: { connection: 'close' } });
  return {
    process,
    rssMb: residentMb,
    heapMb: told(body, 'nodejs_heap_size_used_bytes') / megabyte,
    committedMb: told(body, 'nodejs_heap_size_total_bytes') / megabyte,
    externalMb: told(body, 'nodejs_external_memory_bytes') / megabyte,
    fds,
    handles: told(body, 'nodejs_active_handles_total'),
  };
}

function told(metrics: string, name: string): number {
  const line = metrics.split('\n').find(one => one.startsWith(`${name}{`));
  return Number(line?.split(' ').at(-1) ?? Number.NaN);
}
