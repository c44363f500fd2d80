import autocannon from 'autocannon';
import { sql } from '../../apps/server/src/platform/postgres.ts';
import { startBareServer } from '../support/bare-server.ts';
import { rawGet } from '../support/raw-get.ts';
import { createWorld } from '../support/world.ts';
import { median } from './median.ts';
import { record } from './record.ts';

const rounds = 7;
const seconds = 4;
const codes = 100_000;
const aim = { ratio: 0.75, p99Ratio: 2 };

/**
 * Redirects with 100,000 codes in memory, every scan enriched and acked by the log before the answer, as a share of what
 * a bare server with a constant answer does, by the same load in the same run.
 */
export default async function bench(args: readonly string[]): Promise<void> {
  const world = await createWorld({ LINKS_IN_MEMORY: '200000' });
  const { id: account } = await world.account();
  await world.db.query(fill, [account, codes]);
  const ours = await world.server({ LOG_LEVEL: 'warn' }, 'redirect');
  const bare = await startBareServer();

  await warm(ours.url);
  // What runs for the first time is slower than what the compiler has seen for a while, here as there.
  await load(bare.url);
  await load(ours.url);
  const cpuBefore = await cpuSeconds(ours.metricsUrl);
  let scans = 0;
  const rates: number[] = [];
  const ratios: number[] = [];
  const p99Ratios: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const one = await load(bare.url);
    const other = await load(ours.url);
    scans += other.requests;
    rates.push(other.perSecond);
    ratios.push(other.perSecond / one.perSecond);
    p99Ratios.push(other.p99 / Math.max(1, one.p99));
    console.log(
      `${round}/${rounds}: ours ${other.perSecond.toFixed(0)}/s p99 ${other.p99} ms, bare ${one.perSecond.toFixed(0)}/s p99 ${one.p99} ms`,
    );
  }
  const cpuMicros = (((await cpuSeconds(ours.metricsUrl)) - cpuBefore) * 1e6) / scans;
  const responseBytes = await sizeOfAnswer(ours.url);
  bare.close();
  await world.close();
  const [ratio, p99Ratio] = [median(ratios), median(p99Ratios)];
  record(args, 'redirect', { scansPerSecond: median(rates), cpuMicrosPerScan: cpuMicros, responseBytes });
  console.log(`cpu of the process ${cpuMicros.toFixed(0)} µs a scan; an answer has ${responseBytes} bytes`);
  console.log(`redirect ratio ${ratio.toFixed(2)} p99_ratio ${p99Ratio.toFixed(1)}`);
  if (ratio < aim.ratio || p99Ratio > aim.p99Ratio) process.exitCode = 1;
}

const codeOf = (index: number) => `bench-${index}`;
const agent =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

const fill = sql(
  'fill-bench-codes',
  `insert into qr_codes (id, account_id, mode, number, status, made_by, short_code, name, destination_url, style, created_at, updated_at)
   select gen_random_uuid(), $1, 'live', n, 'active', 'api', 'bench-' || n, 'x', 'https://example.com/a/usual/path/' || n, '{}', now(), now()
     from generate_series(0, $2::bigint - 1) n`,
);

/** Brings every code into memory. Each connection goes through the whole list by itself, so there is one. */
async function warm(url: string): Promise<void> {
  for (let from = 0; from < codes; from += 10_000) {
    const requests = Array.from({ length: 10_000 }, (_, i) => ({
      method: 'HEAD' as const,
      path: `/${codeOf(from + i)}`,
    }));
    await autocannon({
      url,
      requests,
      connections: 1,
      pipelining: 20,
      amount: 10_000,
      headers: { 'user-agent': agent },
    });
  }
}

/** What the process has used so far, threads of the pool included. */
async function cpuSeconds(metricsUrl: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  return Number(/^process_cpu_seconds_total\S* (\S+)$/m.exec(text)![1]);
}

async function sizeOfAnswer(url: string): Promise<number> {
  return Buffer.byteLength((await rawGet(url, `/${codeOf(0)}`)).text, 'latin1');
}

async function load(url: string): Promise<{ perSecond: number; p99: number; requests: number }> {
  const requests = Array.from({ length: 5000 }, (_, i) => ({ path: `/${codeOf((i * 7919) % codes)}` }));
  const result = await autocannon({
    url,
    requests,
    connections: 32,
    duration: seconds,
    headers: { 'user-agent': agent },
  });
  const moved = result['3xx'] ?? 0;
  if (result.errors > 0 || moved < result.requests.total * 0.999) {
    throw new Error(`${result.requests.total - moved} not sent on, ${result.errors} failed at ${url}`);
  }
  return { perSecond: result.requests.average, p99: result.latency.p99, requests: result.requests.total };
}
