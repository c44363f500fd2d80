import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startBareServer } from '@signpost/testing/bare-server.ts';
import { ask } from '@signpost/testing/client.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { p99 } from '@signpost/testing/percentile.ts';
import { cpuMicrosOf } from '@signpost/testing/process-cpu.ts';
import { TestServer } from '@signpost/testing/server.ts';
import { createSoloFixture } from '@signpost/testing/solo.ts';
import autocannon from 'autocannon';
import { sql } from '../apps/server/src/platform/postgres/postgres.ts';

const codes = 20;
const phones = 2_000;
const quietSeconds = 20;
/** Of a redirect: the quiet one, or a bare server's beside it. */
const maxRatio = 3;
const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Safari/604.1';

type Probe = { readonly ours: number; readonly bare: number };

/**
 * `solo` and PostgreSQL at a steady rate of scans, half of them of one code, beside the queries of its owner's pages: how long a
 * redirect takes, whether every scan is counted once, and how far counting was behind.
 */
export default async function bench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { rate: { type: 'string', default: '3000' }, seconds: { type: 'string', default: '300' } },
  });
  const [rate, seconds] = [Number(values.rate), Number(values.seconds)];
  const solo = await createSoloFixture({ TRUSTED_PROXIES: '127.0.0.1' });
  const bare = await startBareServer();
  try {
    const server = await TestServer.start('solo', solo.fixture.env);
    const { live: key } = await solo.fixture.account('enterprise');
    const items = Array.from({ length: codes }, (_, n) => ({
      name: `Code ${n}`,
      destination_url: 'https://example.com',
    }));
    const made = await ask({ method: 'POST', url: `${server.url}/v1/qrcodes/bulk`, key, body: { items } });
    const links: { id: string; short_code: string }[] = made.body.data.map(
      (entry: { qr_code: object }) => entry.qr_code,
    );
    const toScan = (n: number) => ({
      path: `/${links[n % 2 === 0 ? 0 : n % codes]!.short_code}`,
      headers: { 'user-agent': userAgent, 'x-forwarded-for': `10.0.${n >> 8}.${n & 255}` },
    });
    let probed = 0;
    /** A redirect of ours and one of the bare server, in turn, every 20 ms until it is done. */
    const probe = async (isDone: () => boolean): Promise<Probe> => {
      const [ours, theirs]: [number[], number[]] = [[], []];
      while (!isDone()) {
        const { path, headers } = toScan(probed++);
        const answer = await ask({ url: `${server.url}${path}`, headers });
        if (answer.status !== 302) throw new Error(`A scan was answered with ${answer.status}.`);
        ours.push(answer.ms);
        theirs.push((await ask(bare)).ms);
        await pause(20);
      }
      return { ours: p99(ours), bare: p99(theirs) };
    };
    const until = (ms: number) => {
      const endMs = performance.now() + ms;
      return () => performance.now() > endMs;
    };
    const quiet = await probe(until(quietSeconds * 1_000));

    let isDone = false;
    const paths = [
      '/v1/analytics/aggregate',
      `/v1/qrcodes/${links[0]!.id}/analytics`,
      `/v1/qrcodes/${links[0]!.id}/analytics/timeseries?interval=hour`,
      `/v1/qrcodes/${links[0]!.id}/analytics/week-hours?timezone=Asia/Kolkata`,
      '/v1/analytics/scans',
    ];
    const times: number[] = [];
    const refused = new Map<number, number>();
    const querying = (async () => {
      for (let n = 0; !isDone; n++) {
        const { status, ms } = await ask({ url: `${server.url}${paths[n % paths.length]}`, key });
        if (status === 200) times.push(ms);
        else refused.set(status, (refused.get(status) ?? 0) + 1);
        await pause(200);
      }
    })();
    const probing = probe(() => isDone);
    const cpuBefore = cpuMicrosOf(server.pid);
    const load = await autocannon({
      url: server.url,
      connections: 50,
      overallRate: rate,
      duration: seconds,
      workers: 1,
      requests: Array.from({ length: phones }, (_, n) => toScan(n)),
    });
    isDone = true;
    const [loaded] = await Promise.all([probing, querying]);
    const cpu = cpuMicrosOf(server.pid) - cpuBefore;
    const answered = load['3xx'] + probed;
    const startMs = performance.now();
    const count = async () => (await solo.fixture.db.query<Counted>(counted))[0]!;
    await waitUntil('every scan is counted', async () => (await count()).total >= answered, {
      timeoutMs: 600_000,
      everyMs: 500,
    }).catch(() => undefined);
    const behindSeconds = (performance.now() - startMs) / 1_000;
    await pause(2_000);
    const { total, rows } = await count();
    // Some of the last were sent and not answered.
    const [lost, doubled] = [Math.max(0, answered - total), Math.max(0, total - load.requests.sent - probed)];
    await server.end('SIGTERM');
    const limitMs = maxRatio * Math.max(quiet.ours, loaded.bare);
    const perSecond = answered / load.duration;
    console.log(
      `solo scans ${answered} per_s ${perSecond.toFixed(0)} of ${rate} p99_ms ${loaded.ours.toFixed(1)} limit ${limitMs.toFixed(1)} quiet_p99_ms ${quiet.ours.toFixed(1)} bare_p99_ms ${loaded.bare.toFixed(1)} cpu_us_per_scan ${(cpu / answered).toFixed(0)} queries ${times.length} refused_queries ${JSON.stringify(Object.fromEntries(refused))} worst_query_ms ${Math.max(...times).toFixed(0)} counted_after_s ${behindSeconds.toFixed(1)} lost ${lost} doubled ${doubled} rows_differ ${total - rows} errors ${load.errors} refused ${load['4xx'] + load['5xx']}`,
    );
    const isExact = lost + doubled === 0 && rows === total && load['4xx'] + load['5xx'] + refused.size === 0;
    // A machine that did not reach the rate has not shown it.
    process.exitCode = isExact && loaded.ours <= limitMs && perSecond >= 0.95 * rate ? 0 : 1;
  } finally {
    bare.close();
    await solo.close();
  }
}

type Counted = { readonly total: number; readonly rows: number };
const counted = sql(
  'bench-solo-counted',
  `select (select coalesce(sum(total_scans), 0) from scan_counts)::float8 as total, (select count(*) from scans)::float8 as rows`,
);
