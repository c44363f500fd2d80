import { ask } from '@signpost/testing/client.ts';
import { startClickHouse } from '@signpost/testing/engines/clickhouse.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { startPostgres } from '@signpost/testing/engines/postgres.ts';
import { startRedis } from '@signpost/testing/engines/redis.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { runCommand, TestServer } from '@signpost/testing/server.ts';
import { createWrongClock, type WrongClock } from '@signpost/testing/wrong-clock.ts';
import { formatId } from '../../apps/server/src/kernel/ids.ts';
import type { StoreName } from '../../apps/server/src/scans/stores/claim.ts';

/** The whole service, with each role and each engine in a process that can be killed. */
export type Cluster = {
  readonly fixture: Fixture;
  readonly api: TestServer;
  readonly edges: readonly TestServer[];
  readonly ingests: readonly TestServer[];
  /** Null where PostgreSQL stores the scans. */
  readonly clickhouse: Engine | null;
  readonly faults: readonly Fault[];
  readonly codes: readonly Code[];
  close(): Promise<void>;
};

/** Every second one is a test code. */
type Code = { readonly id: string; readonly path: string; readonly key: string };

/** A fault of one process, and how it is undone. */
type Fault = { readonly name: string; begin(): Promise<unknown>; end(): Promise<unknown> };

type Size = { readonly codeCount: number; readonly shards: number };

/** With more than one shard the account is spread over all of them, so that every code is counted by several workers. */
export async function openCluster({ codeCount, shards }: Size, store: StoreName): Promise<Cluster> {
  const [postgres, redis, nats, clickhouse] = await Promise.all([
    startPostgres(),
    startRedis(),
    startNats(),
    store === 'clickhouse' ? startClickHouse() : null,
  ]);
  const urls = { REDIS_URL: redis.url, NATS_URL: nats.url, CLICKHOUSE_URL: clickhouse?.url ?? '' };
  const fixture = await createFixture(
    { ...urls, LOG_LEVEL: 'warn', SCAN_SHARDS: String(shards) },
    postgres.url,
  );
  const migrated = await runCommand(['migrate'], fixture.env);
  if (migrated.code !== 0) throw new Error(migrated.output);
  const clocks = new Map<TestServer, WrongClock>();
  async function start(role: string): Promise<TestServer> {
    const clock = createWrongClock();
    const server = await TestServer.start(role, { ...fixture.env, ...clock.env });
    clocks.set(server, clock);
    return server;
  }
  const { id, live, test } = await fixture.account();
  const spread = await runCommand(
    ['admin', 'set-spread', formatId('acct', id), String(shards), '--now'],
    fixture.env,
  );
  if (spread.code !== 0) throw new Error(spread.output);
  const api = await start('api');
  const edges = [await start('redirect'), await start('redirect')];
  const ingests = [await start('ingest'), await start('ingest')];

  async function createCodes(key: string, count: number): Promise<Code[]> {
    // The same short codes in both modes, so that a scan counted in the wrong mode would show.
    const items = Array.from({ length: count }, (_, i) => ({
      name: `Code ${i}`,
      destination_url: `https://example.com/${i}`,
      short_code: `code-${i}`,
    }));
    const created = await ask({ method: 'POST', url: `${api.url}/v1/qrcodes/bulk`, key, body: { items } });
    type Entry = { qr_code: { id: string; short_url: string } };
    return created.body.data.map(({ qr_code: { id, short_url } }: Entry) => ({
      id,
      path: new URL(short_url).pathname,
      key,
    }));
  }
  const half = Math.floor(codeCount / 2);
  const codes = [...(await createCodes(live, codeCount - half)), ...(await createCodes(test, half))];

  const servers = {
    'redirect 0': edges[0]!,
    'redirect 1': edges[1]!,
    'ingest 0': ingests[0]!,
    'ingest 1': ingests[1]!,
    api,
  };
  const engines = { postgres, redis, nats, ...(clickhouse ? { clickhouse } : {}) };
  const faults = [
    ...Object.entries(servers).flatMap(([name, server]) => serverFaults(name, server, clocks.get(server)!)),
    ...Object.entries(engines).flatMap(([name, engine]) => engineFaults(name, engine)),
  ];
  return {
    fixture,
    api,
    edges,
    ingests,
    clickhouse,
    faults,
    codes,
    async close() {
      for (const server of [...edges, ...ingests, api]) await server.end('SIGTERM');
      await fixture.close();
      for (const engine of Object.values(engines)) await engine.remove();
    },
  };
}

function serverFaults(name: string, server: TestServer, clock: WrongClock): Fault[] {
  return [
    { name: `killed ${name}`, begin: () => server.end('SIGKILL'), end: () => server.start() },
    {
      name: `stopped ${name}`,
      begin: async () => server.kill('SIGSTOP'),
      end: async () => server.kill('SIGCONT'),
    },
    {
      name: `set the clock of ${name}`,
      begin: async () => clock.set(Math.random() < 0.5 ? '+40d' : '-40d'),
      end: async () => clock.set('+0'),
    },
  ];
}

/** Redis persists nothing: after a kill it starts empty. */
function engineFaults(name: string, engine: Engine): Fault[] {
  return [
    {
      name: `killed ${name}`,
      begin: () => (name === 'postgres' ? engine.stop('immediate') : engine.kill('SIGKILL')),
      end: () => engine.start(),
    },
    { name: `froze ${name}`, begin: async () => engine.freeze(), end: async () => engine.thaw() },
  ];
}
