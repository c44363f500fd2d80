import { startClickHouse } from '../../tools/engines/clickhouse.ts';
import type { Engine } from '../../tools/engines/engine.ts';
import { startNats } from '../../tools/engines/nats.ts';
import { startPostgres } from '../../tools/engines/postgres.ts';
import { startRedis } from '../../tools/engines/redis.ts';
import { ask } from '../support/client.ts';
import { runCommand, TestServer } from '../support/server.ts';
import { createWorld, type World } from '../support/world.ts';

/** Everything that the service is made of, each part in a process that can be killed. */
export type Stage = {
  readonly world: World;
  readonly api: TestServer;
  readonly key: string;
  readonly edges: readonly TestServer[];
  readonly ingests: readonly TestServer[];
  readonly clickhouse: Engine;
  readonly victims: readonly Victim[];
  readonly codes: readonly { readonly id: string; readonly shortCode: string }[];
  close(): Promise<void>;
};

export type Victim = { readonly name: string; kill(): Promise<unknown>; revive(): Promise<unknown> };

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
  const start = (role: string) => TestServer.start(role, world.env);
  const api = await start('api');
  const edges = [await start('redirect'), await start('redirect')];
  const ingests = [await start('ingest'), await start('ingest')];

  const { live: key } = await world.account();
  const items = Array.from({ length: codeCount }, (_, i) => ({
    name: `Code ${i}`,
    destination_url: `https://example.com/${i}`,
  }));
  const made = await ask({ method: 'POST', url: `${api.url}/v1/qrcodes/bulk`, key, body: { items } });
  type Entry = { qr_code: { id: string; short_code: string } };
  const codes = made.body.data.map(({ qr_code }: Entry) => ({
    id: qr_code.id,
    shortCode: qr_code.short_code,
  }));

  const ofServer = (name: string, server: TestServer): Victim => ({
    name,
    kill: () => server.end('SIGKILL'),
    revive: () => server.start(),
  });
  const ofEngine = (name: string, engine: Engine): Victim => ({
    name,
    kill: () => (name === 'postgres' ? engine.stop('immediate') : engine.kill('SIGKILL')),
    revive: () => engine.start(),
  });
  const victims = [
    ...edges.map((edge, i) => ofServer(`redirect ${i}`, edge)),
    ...ingests.map((ingest, i) => ofServer(`ingest ${i}`, ingest)),
    ofServer('api', api),
    ofEngine('postgres', postgres),
    ofEngine('redis', redis),
    ofEngine('nats', nats),
    ofEngine('clickhouse', clickhouse),
  ];
  return {
    world,
    api,
    key,
    edges,
    ingests,
    clickhouse,
    victims,
    codes,
    async close() {
      for (const server of [...edges, ...ingests, api]) await server.end('SIGTERM');
      await world.close();
      for (const engine of [postgres, redis, nats, clickhouse]) await engine.remove();
    },
  };
}
