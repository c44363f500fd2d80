import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startBareServer } from '@signpost/testing/bare-server.ts';
import { createFixture } from '@signpost/testing/fixture.ts';
import { rawGet } from '@signpost/testing/raw-get.ts';
import { TestServer } from '@signpost/testing/server.ts';
import autocannon from 'autocannon';
import { sql } from '../apps/server/src/platform/postgres.ts';
import { median } from './median.ts';
import { record } from './record.ts';

/** `--quick`: a first look, on fewer codes and by shorter rounds. */
const isQuick = process.argv.includes('--quick');
const [codes, rounds, seconds] = isQuick ? [5_000, 6, 2] : [100_000, 7, 4];
const aim = { ratio: 0.75, p99Ratio: 2 };

/**
 * Throughput of redirects with 100,000 codes in memory, every scan enriched and acked by the log before the response, relative
 * to a bare server with a constant response under the same load in the same run. `--against DIR` alternates with another
 * checkout, and compares the cost of a scan.
 */
export default async function bench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { against: { type: 'string' }, record: { type: 'boolean' }, quick: { type: 'boolean' } },
  });
  const fixture = await createFixture({ LINKS_IN_MEMORY: '200000' });
  const { id: account } = await fixture.account();
  await fixture.db.query(fill, [account, codes]);
  const env = { ...fixture.env, LOG_LEVEL: 'warn' };
  const bare = await startBareServer();
  const ours = await startContender('ours', env);
  const other = values.against === undefined ? null : await startContender('other', env, values.against);
  const contenders = other ? [ours, other] : [ours];

  for (const { url } of contenders) await warm(url);
  // Both need warm-up: code that runs for the first time is not compiled yet.
  await load(bare.url);
  for (const { url } of contenders) await load(url);
  for (let round = 1; round <= rounds; round++) {
    const base = await load(bare.url);
    // The order is reversed each round, so that other load affects both.
    const inTurn = round % 2 === 1 ? contenders : contenders.toReversed();
    for (const contender of inTurn) await measure(contender, base);
    const words = contenders.map(({ name, rates, p99s, cpuMicros }) =>
      [name, `${rates.at(-1)!.toFixed(0)}/s p99 ${p99s.at(-1)} ms ${cpuMicros.at(-1)!.toFixed(1)} µs`].join(
        ' ',
      ),
    );
    console.log(
      `${round}/${rounds}: ${words.join(', ')}, bare ${base.perSecond.toFixed(0)}/s p99 ${base.p99} ms`,
    );
  }
  const responseBytes = await sizeOfAnswer(ours.url);
  bare.close();
  for (const { server } of contenders) await server.end('SIGTERM');
  await fixture.close();
  const [ratio, p99Ratio, cpuMicros] = [ours.ratios, ours.p99Ratios, ours.cpuMicros].map(median) as [
    number,
    number,
    number,
  ];
  record(args, 'redirect', {
    scansPerSecond: median(ours.rates),
    cpuMicrosPerScan: cpuMicros,
    responseBytes,
  });
  console.log(`cpu of the process ${cpuMicros.toFixed(0)} µs a scan; an answer has ${responseBytes} bytes`);
  if (other) {
    const costs = ours.cpuMicros.map((micros, round) => micros / other.cpuMicros[round]!);
    const rates = ours.rates.map((rate, round) => rate / other.rates[round]!);
    console.log(
      `against the other: cpu_ratio ${median(costs).toFixed(3)} (${Math.min(...costs).toFixed(3)} to ${Math.max(...costs).toFixed(3)}) rate_ratio ${median(rates).toFixed(3)}, other ${median(other.cpuMicros).toFixed(1)} µs, ours ${cpuMicros.toFixed(1)} µs`,
    );
  }
  console.log(`redirect ratio ${ratio.toFixed(2)} p99_ratio ${p99Ratio.toFixed(1)}`);
  if (ratio < aim.ratio || p99Ratio > aim.p99Ratio) process.exitCode = 1;
}

/** A redirect under test, and the results of its rounds. */
async function startContender(name: string, env: Record<string, string>, checkout?: string) {
  const program = checkout === undefined ? undefined : resolve(checkout, 'apps/server/src/main.ts');
  // Each has its own directory: a spool belongs to one process.
  const own = { ...env, SPOOL_DIR: mkdtempSync(join(tmpdir(), 'signpost-spool-')) };
  const server = await TestServer.start('redirect', own, program === undefined ? {} : { program });
  const found = { rates: [], ratios: [], p99s: [], p99Ratios: [], cpuMicros: [] } as {
    readonly [figure in 'rates' | 'ratios' | 'p99s' | 'p99Ratios' | 'cpuMicros']: number[];
  };
  return { name, server, url: server.url, ...found };
}

async function measure(
  { server, url, rates, ratios, p99s, p99Ratios, cpuMicros }: Awaited<ReturnType<typeof startContender>>,
  base: Load,
): Promise<void> {
  const before = await cpuSeconds(server.metricsUrl);
  const done = await load(url);
  cpuMicros.push((((await cpuSeconds(server.metricsUrl)) - before) * 1e6) / done.requests);
  rates.push(done.perSecond);
  ratios.push(done.perSecond / base.perSecond);
  p99s.push(done.p99);
  p99Ratios.push(done.p99 / Math.max(1, base.p99));
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

const warmAtOnce = 5_000;

/** Loads every code into memory. Each connection goes through the whole list, so there is only one. */
async function warm(url: string): Promise<void> {
  for (let from = 0; from < codes; from += warmAtOnce) {
    const requests = Array.from({ length: warmAtOnce }, (_, i) => ({
      method: 'HEAD' as const,
      path: `/${codeOf(from + i)}`,
    }));
    await autocannon({
      url,
      requests,
      connections: 1,
      pipelining: 20,
      amount: warmAtOnce,
      headers: { 'user-agent': agent },
    });
  }
}

/** CPU time of the process so far, including its thread pool. */
async function cpuSeconds(metricsUrl: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  return Number(/^process_cpu_seconds_total\S* (\S+)$/m.exec(text)![1]);
}

async function sizeOfAnswer(url: string): Promise<number> {
  return Buffer.byteLength((await rawGet(url, `/${codeOf(0)}`)).text, 'latin1');
}

type Load = { readonly perSecond: number; readonly p99: number; readonly requests: number };

async function load(url: string): Promise<Load> {
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
