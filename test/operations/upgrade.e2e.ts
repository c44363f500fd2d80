import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { type Balancer, startBalancer } from '@signpost/testing/balancer.ts';
import { ask } from '@signpost/testing/client.ts';
import { startClickHouse } from '@signpost/testing/engines/clickhouse.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { startRedis } from '@signpost/testing/engines/redis.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { countedIn, storedIn } from '@signpost/testing/scan-ledger.ts';
import { runCommand, TestServer } from '@signpost/testing/server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClickHouse } from '../../apps/server/src/platform/clickhouse/clickhouse.ts';
import { createNats, type Nats } from '../../apps/server/src/platform/nats/nats.ts';
import { newestVersion } from '../../apps/server/src/scans/log/format/batch.ts';
import { batchVersions } from '../../apps/server/src/scans/log/format/scan-bytes.ts';
import { toStreamName, toSubject } from '../../apps/server/src/scans/log/streams.ts';

const root = resolve(import.meta.dirname, '../..');
let engines: Engine[];
let fixture: Fixture;
let next: string;
let nats: Nats;
const nextLayout = newestVersion + 1;
const newServers: TestServer[] = [];

/** The version to come: another copy of the program, with migrations that only add. */
function makeNextVersion(): string {
  mkdirSync(join(root, '.reports'), { recursive: true });
  const dir = mkdtempSync(join(root, '.reports/next-'));
  for (const part of ['src', 'migrations', 'package.json'])
    cpSync(join(root, 'apps/server', part), join(dir, part), { recursive: true });
  // Packages that npm has put beside the server and not at the root.
  const packages = join(root, 'apps/server/node_modules');
  if (existsSync(packages)) symlinkSync(packages, join(dir, 'node_modules'));
  writeFileSync(
    join(dir, 'migrations/postgres/9000-next.sql'),
    `alter table qr_codes add column later_note text not null default '';\ncreate table next_things (id uuid primary key);\n`,
  );
  writeFileSync(
    join(dir, 'migrations/clickhouse/9000-next.sql'),
    `alter table scans add column if not exists campaign String default '';\n`,
  );
  // And with a next layout of a batch, which the old ingest cannot read.
  const layouts = join(dir, 'src/scans/log/format/scan-bytes.ts');
  const newest = join(dir, 'src/scans/log/format/batch.ts');
  replaceIn(
    layouts,
    `[${batchVersions.join(', ')}] as const`,
    `[${batchVersions.join(', ')}, ${nextLayout}] as const`,
  );
  replaceIn(
    newest,
    `newestVersion: BatchVersion = ${newestVersion};`,
    `newestVersion: BatchVersion = ${nextLayout};`,
  );
  return dir;
}

function replaceIn(file: string, text: string, by: string): void {
  const source = readFileSync(file, 'utf8');
  if (!source.includes(text)) throw new Error(`${file} has no ${text}`);
  writeFileSync(file, source.replace(text, by));
}

/** The layout of the newest batch in the log. */
async function newestLayout(): Promise<number | undefined> {
  const jsm = await jetstreamManager(await nats.whenConnected(AbortSignal.timeout(5_000)));
  return (await jsm.streams.getMessage(toStreamName(0), { last_by_subj: toSubject(0) }))?.data[0];
}

beforeAll(async () => {
  const [log, redis, clickhouse] = await Promise.all([startNats(), startRedis(), startClickHouse()]);
  engines = [log, redis, clickhouse];
  nats = createNats(log.url);
  fixture = await createFixture({ NATS_URL: log.url, REDIS_URL: redis.url, CLICKHOUSE_URL: clickhouse.url });
  await runCommand(['migrate'], fixture.env);
  next = makeNextVersion();
});
afterAll(async () => {
  await Promise.all(newServers.map(server => server.end('SIGTERM')));
  await fixture?.close();
  await nats?.close();
  for (const engine of engines ?? []) await engine.remove();
  if (next) rmSync(next, { recursive: true });
});

test('old processes replaced one by one under load: no redirect and no call fails, every scan is counted once', async () => {
  const program = join(next, 'src/main.ts');
  const old = {
    api: [await fixture.server(), await fixture.server()],
    redirect: [await fixture.server({}, 'redirect'), await fixture.server({}, 'redirect')],
    ingest: [await fixture.server({}, 'ingest'), await fixture.server({}, 'ingest')],
  };
  const balancers: Record<string, Balancer> = {
    api: await startBalancer(old.api.map(server => server.url)),
    redirect: await startBalancer(old.redirect.map(server => server.url)),
  };
  const { live: key } = await fixture.account();
  const codes: { id: string; short_code: string }[] = [];
  const url = `${balancers.api!.url}/v1/qrcodes`;
  const make = async () => {
    const body = { name: 'Menu', destination_url: 'https://example.com/0' };
    return ask({ method: 'POST', url, key, body });
  };
  for (let n = 0; n < 10; n++) codes.push((await make()).body);

  const tally = { accepted: 0, failed: [] as unknown[], edits: 0, stale: 0, made: 0 };
  const scan = async (code: string) => {
    const answer = await ask({ url: `${balancers.redirect!.url}/${code}` }).catch(error => ({
      status: String(error),
      headers: {} as Record<string, string>,
    }));
    if (answer.status === 302) tally.accepted++;
    else tally.failed.push(answer.status);
    return answer;
  };
  let loading = true;
  const scanning = Array.from({ length: 3 }, async (_, n) => {
    for (let turn = n; loading; turn++) await scan(codes[turn % 9]!.short_code);
  });
  const owning = (async () => {
    const { id, short_code } = codes[9]!;
    for (let n = 1; loading; n++) {
      const destination = `https://example.com/${n}`;
      const body = { destination_url: destination };
      const edited = await ask({ method: 'PATCH', url: `${url}/${id}`, key, body }).catch(error => ({
        status: String(error),
      }));
      const made = await make().catch(error => ({ status: String(error) }));
      for (const { status } of [edited, made])
        if (![200, 201].includes(status as number)) tally.failed.push(status);
      tally.edits++;
      tally.made++;
      if ((await scan(short_code)).headers.location !== destination) tally.stale++;
    }
  })();
  await waitUntil('the load runs', () => tally.accepted > 200 && tally.edits > 3);

  // The new version does not start before its migrations, which run beside the old processes.
  await expect(TestServer.start('api', fixture.env, { program })).rejects.toThrow('9000-next.sql');
  const migrated = await runCommand(['migrate'], fixture.env, program);
  expect(migrated.output).toMatch(/9000-next.sql to PostgreSQL[\s\S]+9000-next.sql to ClickHouse/);

  for (const role of ['api', 'redirect', 'ingest'] as const) {
    for (const server of old[role]) {
      const successor = await TestServer.start(role, fixture.env, { program });
      newServers.push(successor);
      balancers[role]?.add(successor.url);
      const before = tally.accepted;
      await waitUntil('both serve', () => tally.accepted > before + 50);
      await balancers[role]?.remove(server.url);
      expect(await server.end('SIGTERM')).toBe(0);
    }
    // The new redirects are there before the new ingest, and write what the old one can read.
    if (role !== 'ingest') expect(await newestLayout()).toBe(newestVersion);
  }
  await waitUntil('the next layout is written', async () => (await newestLayout()) === nextLayout);
  const before = tally.accepted;
  await waitUntil('the new ones serve alone', () => tally.accepted > before + 200);
  loading = false;
  await Promise.all([...scanning, owning]);

  expect(tally.failed).toEqual([]);
  expect(tally.stale).toBe(0);
  const clickhouse = await createClickHouse(fixture.env.CLICKHOUSE_URL!);
  const total = (counted: Awaited<ReturnType<typeof countedIn>>) =>
    Object.values(counted).reduce((sum, one) => sum + one.total, 0);
  await waitUntil('all are counted', async () => total(await countedIn(fixture.db)) === tally.accepted);
  const counted = await countedIn(fixture.db);
  await waitUntil('all are stored', async () => total((await storedIn(clickhouse)).tally) === tally.accepted);
  expect(await storedIn(clickhouse)).toEqual({ tally: counted, duplicates: 0, faults: [] });
  const { body } = await ask({ url, key });
  expect(body.pagination.total).toBe(10 + tally.made);
  await clickhouse.close();
  for (const balancer of Object.values(balancers)) balancer.close();
  console.log(
    `upgrade scans ${tally.accepted} edits ${tally.edits} failed ${tally.failed.length} stale ${tally.stale}`,
  );
});
