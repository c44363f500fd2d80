import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type Ask, ask } from '@signpost/testing/client.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { p99 } from '@signpost/testing/percentile.ts';
import pg from 'pg';
import { migrate } from '../apps/server/src/platform/postgres/migrations.ts';
import { sql } from '../apps/server/src/platform/postgres/postgres.ts';

const defaultCodes = 1_000_000;

/**
 * Migrations under load: an index on all codes is built while an API creates, reads and edits and a redirect answers scans;
 * then a column is added while another transaction locks the table. No call may fail.
 */
export default async function bench(args: readonly string[]): Promise<void> {
  const at = args.indexOf('--codes');
  const codes = at < 0 ? defaultCodes : Number(args[at + 1]);
  const { failed, retries, buildMs, quiet, building, holding } = await migrateUnderLoad(codes, 10_000, line =>
    console.log(line),
  );
  const figures = (name: string, { api, redirect }: Figures) =>
    `${name} api_p99_ms ${api.toFixed(0)} redirect_p99_ms ${redirect.toFixed(0)}`;
  for (const fault of failed.slice(0, 10)) console.log(fault);
  console.log(
    `migration codes ${codes} build_s ${(buildMs / 1000).toFixed(1)} failed ${failed.length} retries ${retries} ` +
      [figures('quiet', quiet), figures('building', building), figures('holding', holding)].join(' '),
  );
  if (failed.length > 0 || retries === 0) process.exitCode = 1;
}

type Figures = { readonly api: number; readonly redirect: number };

/** Returns the calls that failed, the retries for a lock, and the p99 of calls in each phase. */
export async function migrateUnderLoad(codes: number, quietMs: number, print: (line: string) => void) {
  const fixture = await createFixture({ DEFAULT_PLAN: 'roomy' });
  const dir = mkdtempSync(join(tmpdir(), 'signpost-migrations-'));
  try {
    const direct = fixture.env.DATABASE_DIRECT_URL ?? fixture.env.DATABASE_URL!;
    const owner = await fixture.account();
    for (let from = 0; from < codes; from += 50_000)
      await fixture.db.query(fill, [owner.id, from, Math.min(codes, from + 50_000)]);
    const load = await startLoad(fixture, owner.live);
    try {
      load.phase('warm');
      await pause(quietMs / 5);
      load.phase('quiet');
      await pause(quietMs);

      const folder = pathToFileURL(`${dir}/`);
      writeFileSync(join(dir, '9000-index.sql'), buildIndex);
      const said: string[] = [];
      const tell = (line: string) => {
        said.push(line);
        print(line);
      };
      load.phase('building');
      const startMs = performance.now();
      await migrate(direct, { folder, print: tell });
      const buildMs = performance.now() - startMs;

      load.phase('holding');
      writeFileSync(join(dir, '9001-column.sql'), addColumn);
      const retries = await addColumnBesideHolder(direct, folder, tell, said);
      const { times, failed } = await load.stop();
      const of = (phase: string): Figures => ({
        api: p99(times.get(`${phase} api`) ?? [0]),
        redirect: p99(times.get(`${phase} redirect`) ?? [0]),
      });
      return {
        failed,
        retries,
        buildMs,
        quiet: of('quiet'),
        building: of('building'),
        holding: of('holding'),
      };
    } finally {
      await load.stop();
    }
  } finally {
    rmSync(dir, { recursive: true });
    await fixture.close();
  }
}

const buildIndex = `-- no transaction
create index concurrently if not exists bench_codes_destination on qr_codes (account_id, mode, destination_url, name);
`;
const addColumn = 'alter table qr_codes add column bench_note text;\n';

/** Reads from the table in a transaction that stays open until the migration has failed to get its lock. */
async function addColumnBesideHolder(
  url: string,
  folder: URL,
  print: (line: string) => void,
  said: readonly string[],
): Promise<number> {
  const holder = new pg.Client({ connectionString: url, application_name: 'slow report' });
  await holder.connect();
  const retries = () => said.filter(line => line.includes('9001-column.sql did not get its lock')).length;
  try {
    await holder.query('begin');
    await holder.query('select 1 from qr_codes limit 1');
    const running = migrate(url, { folder, print });
    running.catch(() => undefined);
    for (const deadline = performance.now() + 60_000; retries() < 1 && performance.now() < deadline; )
      await pause(50);
    await holder.query('commit');
    await running;
    return retries();
  } finally {
    await holder.end();
  }
}

/** Creates, reads, edits and scans without pause; records every call with an unexpected response. */
async function startLoad(fixture: Fixture, key: string) {
  const [api, redirect] = await Promise.all([fixture.server(), fixture.server({}, 'redirect')]);
  const times = new Map<string, number[]>();
  const failed: string[] = [];
  let [phase, isRunning] = ['warm', true];

  async function timed(part: 'api' | 'redirect', expected: number, call: Ask) {
    const now = `${phase} ${part}`;
    const startMs = performance.now();
    const answer = await ask(call).catch(error => ({ status: String(error), body: null }));
    const list = times.get(now) ?? [];
    times.set(now, list);
    list.push(performance.now() - startMs);
    if (answer.status !== expected) failed.push(`${now} ${call.method ?? 'GET'} ${answer.status}`);
    return answer;
  }

  const url = `${api.url}/v1/qrcodes`;
  const body = { name: 'Menu', destination_url: 'https://example.com/menu' };
  const own = async () => {
    while (isRunning) {
      const made = await timed('api', 201, { method: 'POST', url, key, body });
      const one = `${url}/${made.body?.id}`;
      await timed('api', 200, { url: one, key });
      await timed('api', 200, { method: 'PATCH', url: one, key, body: { name: 'Lunch' } });
    }
  };
  const scan = async () => {
    for (let n = 0; isRunning; n++) {
      await timed('redirect', 302, { url: `${redirect.url}/bench-${n % 1000}` });
      await pause(2);
    }
  };
  const running = Promise.all([own(), own(), own(), scan(), scan()]);
  return {
    phase(next: string) {
      phase = next;
    },
    async stop() {
      isRunning = false;
      await running;
      return { times, failed };
    },
  };
}

const columns =
  'id, account_id, mode, number, status, made_by, short_code, link_key, name, destination_url, style, created_at, updated_at';
const fill = sql(
  'fill-migration-codes',
  `with made as (
     insert into qr_codes (${columns})
     select gen_random_uuid(), $1, 'live', n, 'active', 'api', 'bench-' || n, 'bench-' || n, 'Code ' || n,
            'https://example.com/a/usual/path/' || n, '{}', now(), now()
       from generate_series($2::int, $3::int - 1) n)
   insert into code_counts (account_id, mode, last_number, active, made_by_api)
   values ($1, 'live', $3::int, $3::int, $3::int)
   on conflict (account_id, mode) do update
     set last_number = excluded.last_number, active = excluded.active, made_by_api = excluded.made_by_api`,
);
