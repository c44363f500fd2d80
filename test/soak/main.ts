import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { waitUntil } from '../../tools/engines/wait.ts';
import { ask, inParallel } from '../support/client.ts';
import { type Hook, startHook } from './hook.ts';
import { judge, type Sample } from './judge.ts';
import { type Onlooker, runLoad, startOnlooker } from './load.ts';
import { sampleOf } from './sampler.ts';
import { openStage, type Stage } from './stage.ts';
import { createTally, type Tally } from './tally.ts';

/**
 * `npm run soak [-- --minutes N | --short]`: every role in a process of its own under a steady load. At the end no process
 * holds more than in the middle, nothing has failed, and every accepted scan is counted, announced and was shown live.
 */
const { values } = parseArgs({ options: { minutes: { type: 'string' }, short: { type: 'boolean' } } });
const seconds = values.short ? 30 : Number(values.minutes ?? 30) * 60;
if (!(seconds > 0)) throw new Error('Say how long: npm run soak -- --minutes 30');
const sampleEveryMs = Math.min(5000, (seconds * 1000) / 45);
const codeCount = 100;
const samplesFile = new URL('../../.logs/soak.json', import.meta.url).pathname;

const hook = await startHook();
const stage = await openStage(codeCount, hook.url);
const tally = createTally(console.log);
const onlooker = await startOnlooker(stage, tally);
console.log(`${Object.keys(stage.servers).join(', ')}: ${codeCount} codes, ${seconds} s`);

const stopping = new AbortController();
const samples: Sample[] = [];
const [requestsMeant] = await Promise.all([runLoad(stage, tally, stopping.signal), watch()]);
const { requests } = tally;
console.log(`${requests} requests, ${sumOf(tally.accepted)} scans accepted; settling`);
const missing = await settle(stage, tally, hook, onlooker);
await onlooker.stop();
for (const fault of await stage.close()) tally.fault(fault);
await hook.close();

const { errors } = tally;
const { growths, worst, faults } = judge(samples, { seconds, requests, requestsMeant, errors, ...missing });
for (const { process, rssMb, heapMb, fds, handles } of growths) {
  console.log(
    `${process} grew by ${rssMb} MB, its heap by ${heapMb} MB, ${fds} open files, ${handles} handles`,
  );
}
for (const fault of faults) console.log(fault);
writeFileSync(samplesFile, JSON.stringify(samples));
console.log(`every look at every process is in ${relative('.', samplesFile)}`);
console.log(
  `soak minutes ${Number((seconds / 60).toFixed(2))} requests ${requests} errors ${errors} rss_growth_mb ${worst.rssMb} ` +
    `heap_growth_mb ${worst.heapMb} fd_growth ${worst.fds} lost ${missing.lost} doubled ${missing.doubled} ` +
    `webhooks_missing ${missing.webhooksMissing} live_missing ${missing.liveMissing}`,
);
process.exit(faults.length === 0 ? 0 : 1);

/** Looks at every process now and then, says how it goes, and ends the load when the time has come. */
async function watch(): Promise<void> {
  const start = performance.now();
  let toldAtMs = start;
  while (performance.now() - start < seconds * 1000) {
    await sleep(sampleEveryMs);
    const now = await Promise.all(
      Object.entries(stage.servers).map(([role, server]) => sampleOf(role, server)),
    );
    samples.push(...now);
    if (performance.now() - toldAtMs < 30_000) continue;
    toldAtMs = performance.now();
    const minute = ((toldAtMs - start) / 60_000).toFixed(1);
    const held = now.map(({ process, rssMb, fds }) => `${process} ${Math.round(rssMb)} MB ${fds} files`);
    console.log(`minute ${minute}: ${tally.requests} requests, ${tally.errors} errors; ${held.join(', ')}`);
  }
  stopping.abort();
}

type Missing = {
  readonly lost: number;
  readonly doubled: number;
  readonly webhooksMissing: number;
  readonly liveMissing: number;
};

/** Gives what is under way time to arrive; a webhook that was refused comes again after some seconds. */
async function settle(stage: Stage, tally: Tally, hook: Hook, onlooker: Onlooker): Promise<Missing> {
  let missing: Missing = { lost: Number.NaN, doubled: 0, webhooksMissing: 0, liveMissing: 0 };
  await waitUntil(
    'everything has arrived',
    async () => {
      missing = await compare(stage, tally, hook, onlooker);
      return Object.values(missing).every(count => count === 0);
    },
    { timeoutMs: 240_000, everyMs: 1000 },
  ).catch(error => console.log(String(error)));
  return missing;
}

/** Every code by its counter, its analytics, its webhooks and its live scans, against what was accepted. */
async function compare(
  { servers, key, codes }: Stage,
  { accepted }: Tally,
  { arrived }: Hook,
  { shown }: Onlooker,
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
  const sum = (of: keyof Missing) => differences.reduce((total, one) => total + one[of], 0);
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
