import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ask } from '@signpost/testing/client.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { p99 } from '@signpost/testing/percentile.ts';
import { cpuMicrosOf } from '@signpost/testing/process-cpu.ts';
import { TestServer } from '@signpost/testing/server.ts';
import { sql } from '../../apps/server/src/platform/postgres/postgres.ts';
import { runWrk, writeWrkScript } from '../wrk.ts';
import { hostAt } from './within.ts';

const own = 'go.service.example';
const codes = 1000;
const [connections, seconds] = [64, 3];

/** An installation with domains, if any, and codes on its own host. */
async function createInstallation(domains: number): Promise<Fixture> {
  const fixture = await createFixture({ SHORT_BASE_URL: `https://${own}`, LOG_LEVEL: 'warn' });
  const { id } = await fixture.account();
  await fixture.db.query(fillCodes, [id, codes]);
  await fixture.db.query(fillDomains, [id, domains]);
  await fixture.db.query(fillStops, []);
  await fixture.db.query(setVersion, [domains]);
  return fixture;
}

/** The p99 in milliseconds over one connection, for names that are domains, and for `/healthz` of the same port in turn with it. */
export async function measureAsk(count: number) {
  const fixture = await createInstallation(count);
  const redirect = await fixture.server({}, 'redirect');
  const times = { ask: [] as number[], health: [] as number[] };
  for (let i = 0; i < 4000; i++) {
    const name = hostAt((i * 7919) % count);
    const { status, ms } = await ask({
      url: redirect.metricsUrl.replace('/metrics', `/tls-ask?domain=${name}`),
    });
    if (status !== 200) throw new Error(`${name} was answered with ${status}`);
    const health = await ask({ url: redirect.metricsUrl.replace('/metrics', '/healthz') });
    // The first ones run code that is not compiled yet.
    if (i < 1000) continue;
    times.ask.push(ms);
    times.health.push(health.ms);
  }
  await fixture.close();
  return { p99Ms: p99(times.ask), bareP99Ms: p99(times.health) };
}

type Options = { readonly count: number; readonly rounds: number; readonly against: string | undefined };

/** What a scan costs here for what it costs without domains: fresh processes in each round, in turn first and second. */
export async function measureCpu({ count, rounds, against }: Options): Promise<number[]> {
  const [full, empty] = [await createInstallation(count), await createInstallation(0)];
  const program = against === undefined ? undefined : resolve(against, 'apps/server/src/main.ts');
  const scriptFile = writeWrkScript(
    Array.from({ length: codes }, (_, n) => `/bench-${n}`),
    { host: own, 'user-agent': agent },
  );
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = (env: Record<string, string>, options = {}) =>
      TestServer.start(
        'redirect',
        { ...env, SPOOL_DIR: mkdtempSync(join(tmpdir(), 'signpost-spool-')) },
        options,
      );
    const ours = { server: await start(full.env), cpu: 0, requests: 0 };
    const other = { server: await start(empty.env, program && { program }), cpu: 0, requests: 0 };
    const both = round % 2 === 0 ? [ours, other] : [other, ours];
    for (const { server } of both) await runWrk(server.url, { scriptFile, connections, seconds });
    for (const one of [...both, ...both.toReversed()]) {
      const before = cpuMicrosOf(one.server.pid);
      one.requests += (await runWrk(one.server.url, { scriptFile, connections, seconds })).requests;
      one.cpu += cpuMicrosOf(one.server.pid) - before;
    }
    for (const { server } of both) await server.end('SIGTERM');
    const [here, there] = [ours.cpu / ours.requests, other.cpu / other.requests];
    ratios.push(here / there);
    console.log(`${round + 1}/${rounds}: ${here.toFixed(1)} µs with domains, ${there.toFixed(1)} µs without`);
  }
  await full.close();
  await empty.close();
  return ratios;
}

const agent =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

const fillCodes = sql(
  'fill-domain-codes',
  `insert into qr_codes (id, account_id, mode, number, status, made_by, short_code, link_key, name, destination_url, style, created_at, updated_at)
   select gen_random_uuid(), $1, 'live', n, 'active', 'api', 'bench-' || n, 'bench-' || n, 'x', 'https://example.com/a/usual/path/' || n, '{}', now(), now()
     from generate_series(0, $2::bigint - 1) n`,
);

const fillDomains = sql(
  'fill-domains',
  `insert into domains (id, account_id, host, tag, status, created_at, updated_at)
   select gen_random_uuid(), $1, 'go.brand-' || n || '.example', lpad(n::text, 8, '0'), 'active', now(), now()
     from generate_series(0, $2::bigint - 1) n`,
);

/** As redirects read them. */
const fillStops = sql(
  'fill-stops-of-domains',
  `insert into stops (subject, reason, domain, n, changed_at, relayed)
   select 'domain/' || host, null,
          json_build_object('account', account_id, 'space', 'd/' || tag || '/', 'active', true,
                            'root', 'https://www.' || host || '/', 'notFound', null),
          tag::bigint + 1, now(), true
     from domains`,
);

const setVersion = sql('set-version-of-stops', 'update stop_version set n = $1');
