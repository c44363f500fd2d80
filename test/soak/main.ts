import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ask, inParallel } from '@signpost/testing/client.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { assess, type Sample } from './assess.ts';
import { type Cluster, openCluster } from './cluster.ts';
import { type LiveViewer, runLoad, startLiveViewer } from './load.ts';
import { createLoadStats, type LoadStats } from './load-stats.ts';
import { sampleOf } from './sampler.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts';

/**
 * `npm run soak [-- --minutes N | --short]`: every role in its own process under a steady load. At the end no process
 * holds more memory, files or handles than in the middle, nothing has failed, and every accepted scan was counted, delivered
 * as a webhook and shown live.
 */
const { values } = parseArgs({ options: { minutes: { type: 'string' }, short: { type: 'boolean' } } });
const seconds = values.short ? 30 : Number(values.minutes ?? 30) * 60;
if (!(seconds > 0)) throw new Error('Give a duration: npm run soak -- --minutes 30');
const sampleEveryMs = Math.min(5000, (seconds * 1000) / 45);
const codeCount = 100;
const samplesFile = new URL('../../.logs/soak.json', import.meta.url).pathname;

const receiver = await startWebhookReceiver();
const cluster = await openCluster(codeCount, receiver.url);
const stats = createLoadStats(console.log);
const liveViewer = await startLiveViewer(cluster, stats);
console.log(`${Object.keys(cluster.servers).join(', ')}: ${codeCount} codes, ${seconds} s`);

const stopping = new AbortController();
const samples: Sample[] = [];
const [requestsPlanned] = await Promise.all([runLoad(cluster, stats, stopping.signal), watch()]);
const { requests } = stats;
console.log(`${requests} requests, ${sumOf(stats.accepted)} scans accepted; settling`);
const missing = await settle(cluster, stats, receiver, liveViewer);
await liveViewer.stop();
for (const fault of await cluster.close()) stats.fault(fault);
await receiver.close();

const { errors } = stats;
const { growths, worst, faults } = assess(samples, {
  seconds,
  requests,
  requestsPlanned,
  errors,
  ...missing,
});
for (const { process, rssMb, heapMb, fds, handles } of growths) {
  console.log(
    `${process} grew by ${rssMb} MB, its heap by ${heapMb} MB, ${fds} open files, ${handles} handles`,
  );
}
for (const fault of faults) console.log(fault);
writeFileSync(samplesFile, JSON.stringify(samples));
console.log(`all samples are in ${relative('.', samplesFile)}`);
console.log(
  `soak minutes ${Number((seconds / 60).toFixed(2))} requests ${requests} errors ${errors} rss_growth_mb ${worst.rssMb} ` +
    `heap_growth_mb ${worst.heapMb} fd_growth ${worst.fds} lost ${missing.lost} doubled ${missing.doubled} ` +
    `webhooks_missing ${missing.webhooksMissing} live_missing ${missing.liveMissing}`,
);
process.exit(faults.length === 0 ? 0 : 1);

/** Samples every process at intervals, prints progress, and ends the load when the time is over. */
async function watch(): Promise<void> {
  const start = performance.now();
  let printedAtMs = start;
  while (performance.now() - start < seconds * 1000) {
    await sleep(sampleEveryMs);
    const now = await Promise.all(
      Object.entries(cluster.servers).map(([role, server]) => sampleOf(role, server)),
    );
    samples.push(...now);
    if (performance.now() - printedAtMs < 30_000) continue;
    printedAtMs = performance.now();
    const minute = ((printedAtMs - start) / 60_000).toFixed(1);
    const usage = now.map(({ process, rssMb, fds }) => `${process} ${Math.round(rssMb)} MB ${fds} files`);
    console.log(`minute ${minute}: ${stats.requests} requests, ${stats.errors} errors; ${usage.join(', ')}`);
  }
  stopping.abort();
}

type Missing = {
  readonly lost: number;
  readonly doubled: number;
  readonly webhooksMissing: number;
  readonly liveMissing: number;
};

/** Waits for what is in flight; a refused webhook is retried after some seconds. */
async function settle(
  cluster: Cluster,
  stats: LoadStats,
  receiver: WebhookReceiver,
  liveViewer: LiveViewer,
): Promise<Missing> {
  let missing: Missing = { lost: Number.NaN, doubled: 0, webhooksMissing: 0, liveMissing: 0 };
  await waitUntil(
    'everything has arrived',
    async () => {
      missing = await compare(cluster, stats, receiver, liveViewer);
      return Object.values(missing).every(count => count === 0);
    },
    { timeoutMs: 240_000, everyMs: 1000 },
  ).catch(error => console.log(String(error)));
  return missing;
}

/** Compares the counter, analytics, webhooks and live scans of each code with what was accepted. */
async function compare(
  { servers, key, codes }: Cluster,
  { accepted }: LoadStats,
  { arrived }: WebhookReceiver,
  { shown }: LiveViewer,
): Promise<Missing> {
  const read = (path: string) => ask({ url: `${servers.api.url}${path}`, key });
  const differences = await inParallel(codes.length, 4, async index => {
    const { id } = codes[index]!;
    const [code, analytics] = await Promise.all([
      read(`/v1/qrcodes/${id}`),
      read(`/v1/qrcodes/${id}/analytics`),
    ]);
    const counts = [code.body.total_scans as number, analytics.body.summary.total_scans as number];
    const expected = accepted.get(id) ?? 0;
    return {
      lost: expected - Math.min(expected, ...counts),
      doubled: Math.max(expected, ...counts) - expected,
      webhooksMissing: expected - (arrived.get(id)?.size ?? 0),
      liveMissing: expected - (shown.get(id)?.size ?? 0),
    };
  });
  const sum = (field: keyof Missing) => differences.reduce((total, counts) => total + counts[field], 0);
  return {
    lost: sum('lost'),
    doubled: sum('doubled'),
    webhooksMissing: sum('webhooksMissing'),
    liveMissing: sum('liveMissing'),
  };
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
