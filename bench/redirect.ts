import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startBareServer } from '@signpost/testing/bare-server.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { createFixture } from '@signpost/testing/fixture.ts';
import { cpuMicrosOf } from '@signpost/testing/process-cpu.ts';
import { rawGet } from '@signpost/testing/raw-get.ts';
import { TestServer } from '@signpost/testing/server.ts';
import autocannon from 'autocannon';
import { sql } from '../apps/server/src/platform/postgres/postgres.ts';
import { median } from './median.ts';
import { record } from './record.ts';
import { runWrk, writeWrkScript } from './wrk.ts';

/** `--quick`: a first look, on fewer codes and by shorter rounds. */
const isQuick = process.argv.includes('--quick');
const [codes, rounds, seconds] = isQuick ? [5_000, 3, 2] : [100_000, 7, 3];
const connectionCounts = [32, 64, 128] as const;
/** What is judged. */
const judged = 64;
const aim = { ratio: 0.55, cpuMicros: 42 };

type Figures = {
  readonly [name in 'rates' | 'ratios' | 'p99s' | 'p99Ratios' | 'cpu' | 'natsCpu' | 'wrkCpu']: number[];
};

/**
 * Redirects with 100,000 codes in memory, every scan enriched and acked by the log before the response, relative to a bare
 * `node:http` server with a constant response under the same load in the same run: at 32, 64 and 128 connections, with the
 * CPU time that a scan costs the redirect, NATS and the load generator. `--against DIR` alternates with another checkout,
 * and compares the cost of a scan.
 */
export default async function bench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { against: { type: 'string' }, record: { type: 'boolean' }, quick: { type: 'boolean' } },
  });
  const nats = await startNats();
  const fixture = await createFixture({ LINKS_IN_MEMORY: '200000', NATS_URL: nats.url });
  const { id: account } = await fixture.account();
  await fixture.db.query(fill, [account, codes]);
  const env = { ...fixture.env, LOG_LEVEL: 'warn' };
  const bare = await startBareServer();
  const ours = await startContender('ours', env);
  const other = values.against === undefined ? null : await startContender('other', env, values.against);
  const contenders = other ? [ours, other] : [ours];
  const paths = Array.from({ length: 5000 }, (_, i) => `/${codeOf((i * 7919) % codes)}`);
  const scriptFile = writeWrkScript(paths, {
    'user-agent': agent,
    'accept-language': 'de-DE,de;q=0.9,en;q=0.8',
  });
  const load = (url: string, connections: number) => runWrk(url, { scriptFile, connections, seconds });

  for (const { url } of contenders) await warm(url);
  // Both need warm-up: code that runs for the first time is not compiled yet.
  for (const url of [bare.url, ...contenders.map(one => one.url)]) await load(url, judged);
  for (let round = 1; round <= rounds; round++) {
    for (const connections of connectionCounts) {
      const base = await load(bare.url, connections);
      // The order is reversed each round, so that other load affects both.
      for (const contender of round % 2 === 1 ? contenders : contenders.toReversed()) {
        const figures = contender.figures[connections];
        const [cpu, natsCpu] = [cpuMicrosOf(contender.server.pid), cpuMicrosOf(nats.pid)];
        const done = await load(contender.url, connections);
        figures.cpu.push((cpuMicrosOf(contender.server.pid) - cpu) / done.requests);
        figures.natsCpu.push((cpuMicrosOf(nats.pid) - natsCpu) / done.requests);
        figures.wrkCpu.push(done.cpuMicros);
        figures.rates.push(done.perSecond);
        figures.ratios.push(done.perSecond / base.perSecond);
        figures.p99s.push(done.p99Ms);
        figures.p99Ratios.push(done.p99Ms / base.p99Ms);
      }
      const words = contenders.map(({ name, figures: { [connections]: own } }) =>
        [
          name,
          `${own.rates.at(-1)!.toFixed(0)}/s p99 ${own.p99s.at(-1)!.toFixed(1)} ms ${own.cpu.at(-1)!.toFixed(1)} µs`,
        ].join(' '),
      );
      console.log(
        `${round}/${rounds}, ${connections} connections: ${words.join(', ')}, bare ${base.perSecond.toFixed(0)}/s p99 ${base.p99Ms.toFixed(1)} ms`,
      );
    }
  }
  const responseBytes = await sizeOfAnswer(ours.url);
  bare.close();
  for (const { server } of contenders) await server.end('SIGTERM');
  await fixture.close();
  await nats.remove();

  const figures = ours.figures[judged];
  const [ratio, cpuMicros] = [median(figures.ratios), median(figures.cpu)];
  record(args, 'redirect', {
    scansPerSecond: median(figures.rates),
    cpuMicrosPerScan: cpuMicros,
    responseBytes,
  });
  if (other) {
    const differences = figures.cpu.map((micros, round) => micros / other.figures[judged].cpu[round]! - 1);
    const sorted = [...differences].sort((a, b) => a - b);
    const percent = (value: number) => `${(100 * value).toFixed(1)} %`;
    console.log(
      `against the other at ${judged} connections: cpu ${percent(median(differences))} (quartiles ${percent(sorted[sorted.length >> 2]!)}, ${percent(sorted[(3 * sorted.length) >> 2]!)}), other ${median(other.figures[judged].cpu).toFixed(1)} µs, ours ${cpuMicros.toFixed(1)} µs`,
    );
  }
  const each = (name: keyof Figures, digits: number) =>
    connectionCounts.map(count => median(ours.figures[count][name]).toFixed(digits)).join('/');
  console.log(
    `redirect connections ${connectionCounts.join('/')} rate ${each('rates', 0)} ratio ${each('ratios', 2)} p99_ms ${each('p99s', 1)} p99_ratio ${each('p99Ratios', 1)} cpu_us ${each('cpu', 1)} nats_us ${each('natsCpu', 1)} generator_us ${each('wrkCpu', 1)} response_bytes ${responseBytes}`,
  );
  if (ratio < aim.ratio || cpuMicros > aim.cpuMicros) process.exitCode = 1;
}

/** A redirect under test, and its figures by the number of connections. */
async function startContender(name: string, env: Record<string, string>, checkout?: string) {
  const program = checkout === undefined ? undefined : resolve(checkout, 'apps/server/src/main.ts');
  // Each has its own directory: a spool belongs to one process.
  const own = { ...env, SPOOL_DIR: mkdtempSync(join(tmpdir(), 'signpost-spool-')) };
  const server = await TestServer.start('redirect', own, program === undefined ? {} : { program });
  const none = (): Figures => ({
    rates: [],
    ratios: [],
    p99s: [],
    p99Ratios: [],
    cpu: [],
    natsCpu: [],
    wrkCpu: [],
  });
  return { name, server, url: server.url, figures: { 32: none(), 64: none(), 128: none() } };
}

const codeOf = (index: number) => `bench-${index}`;
const agent =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

const fill = sql(
  'fill-bench-codes',
  `insert into qr_codes (id, account_id, mode, number, status, made_by, short_code, link_key, name, destination_url, style, created_at, updated_at)
   select gen_random_uuid(), $1, 'live', n, 'active', 'api', 'bench-' || n, 'bench-' || n, 'x', 'https://example.com/a/usual/path/' || n, '{}', now(), now()
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

async function sizeOfAnswer(url: string): Promise<number> {
  return Buffer.byteLength((await rawGet(url, `/${codeOf(0)}`)).text, 'latin1');
}
