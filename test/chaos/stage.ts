import { startClickHouse } from '../../tools/engines/clickhouse.ts';
import type { Engine } from '../../tools/engines/engine.ts';
import { startNats } from '../../tools/engines/nats.ts';
import { startPostgres } from '../../tools/engines/postgres.ts';
import { startRedis } from '../../tools/engines/redis.ts';
import { ask } from '../support/client.ts';
import { runCommand, TestServer } from '../support/server.ts';
import { createWorld, type World } from '../support/world.ts';
import { createWrongClock, type WrongClock } from '../support/wrong-clock.ts';

/** Everything that the service is made of, each part in a process that can be killed. */
export type Stage = {
  readonly world: World;
  readonly api: TestServer;
  readonly edges: readonly TestServer[];
  readonly ingests: readonly TestServer[];
  readonly clickhouse: Engine;
  readonly faults: readonly Fault[];
  readonly codes: readonly Code[];
  close(): Promise<void>;
};

/** Every second one is a test code. */
export type Code = { readonly id: string; readonly path: string; readonly key: string };

/** What goes wrong with one part, and how it ends. */
export type Fault = { readonly name: string; begin(): Promise<unknown>; end(): Promise<unknown> };

export async function openStage(codeCount: number): Promise<Stage> {
  const [postgres, redis, nats, clickhouse] = await Promise.all([
    startPostgres(),
    startRedis(),
    startNats(),
    startClickHouse(),
  ]);
  const urls = { REDIS_URL: redis.url, NATS_URL: nats.url, CLICKHOUSE_URL: clickhouse.url };
  const world = await createWorld({ ...urls, LOG_LEVEL: 'warn' }, postgres.url);
  const migrated = await runCommand(['migrate'], world.env);
  if (migrated.code !== 0) throw new Error(migrated.output);
  const clocks = new Map<TestServer, WrongClock>();
  async function start(role: string): Promise<TestServer> {
    const clock = createWrongClock();
    const server = await TestServer.start(role, { ...world.env, ...clock.env });
    clocks.set(server, clock);
    return server;
  }
  const api = await start('api');
  const edges = [await start('redirect'), await start('redirect')];
  const ingests = [await start('ingest'), await start('ingest')];

  const { live, test } = await world.account();
  async function createCodes(key: string, count: number): Promise<Code[]> {
    // The same names in both modes: a scan that went to the wrong one would show.
    const items = Array.from({ length: count }, (_, i) => ({
      name: `Code ${i}`,
      destination_url: `https://example.com/${i}`,
      short_code: `code-${i}`,
    }));
    const made = await ask({ method: 'POST', url: `${api.url}/v1/qrcodes/bulk`, key, body: { items } });
    type Entry = { qr_code: { id: string; short_url: string } };
    return made.body.data.map(({ qr_code: { id, short_url } }: Entry) => ({
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
  const engines = { postgres, redis, nats, clickhouse };
  const faults = [
    ...Object.entries(servers).flatMap(([name, server]) => ofServer(name, server, clocks.get(server)!)),
    ...Object.entries(engines).flatMap(([name, engine]) => ofEngine(name, engine)),
  ];
  return {
    world,
    api,
    edges,
    ingests,
    clickhouse,
    faults,
    codes,
    async close() {
      for (const server of [...edges, ...ingests, api]) await server.end('SIGTERM');
      await world.close();
      for (const engine of [postgres, redis, nats, clickhouse]) await engine.remove();
    },
  };
}

function ofServer(name: string, server: TestServer, clock: WrongClock): Fault[] {
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

/** Redis keeps nothing on its disk: killed, it comes back empty. */
function ofEngine(name: string, engine: Engine): Fault[] {
  return [
    {
      name: `killed ${name}`,
      begin: () => (name === 'postgres' ? engine.stop('immediate') : engine.kill('SIGKILL')),
      end: () => engine.start(),
    },
    { name: `froze ${name}`, begin: async () => engine.freeze(), end: async () => engine.thaw() },
  ];
}
