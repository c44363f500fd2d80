import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../tools/engines/free-port.ts';
import { startNats } from '../../../tools/engines/nats.ts';
import { dashboardEnv } from '../people.ts';
import { runCommand, TestServer } from '../server.ts';
import { createWorld, type World } from '../world.ts';

/** The whole service in one process, as on one small box, with its dashboard. */
export type DashboardWorld = {
  readonly url: string;
  readonly world: World;
  /** Opens a short link as a phone somewhere would. */
  scan(shortUrl: string, from?: { address?: string; agent?: string }): Promise<number>;
  close(): Promise<void>;
};

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';

export async function createDashboardWorld(more: Record<string, string> = {}): Promise<DashboardWorld> {
  const dir = mkdtempSync(join(tmpdir(), 'signpost-dashboard-'));
  // A log of its own, so that no other deliverer takes its webhooks.
  const nats = await startNats();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const world = await createWorld({
    ...dashboardEnv,
    NATS_URL: nats.url,
    CLICKHOUSE_URL: `chdb://${dir}/data`,
    SPOOL_DIR: join(dir, 'spool'),
    PUBLIC_URL: url,
    TRUSTED_PROXIES: '127.0.0.0/8',
    WEBHOOK_SECRET_KEYS: randomBytes(32).toString('base64'),
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    DEFAULT_PLAN: 'business',
    ...more,
  });
  const migrated = await runCommand(['migrate'], world.env);
  if (migrated.code !== 0) throw new Error(migrated.output);
  const server = await TestServer.start('all', world.env, { port });
  return {
    url,
    world,
    async scan(shortUrl, { address = '203.0.113.7', agent = iphone } = {}) {
      const headers = { 'x-forwarded-for': address, 'user-agent': agent };
      return (await fetch(shortUrl, { redirect: 'manual', headers })).status;
    },
    async close() {
      await server.end('SIGTERM');
      await world.close();
      await nats.remove();
    },
  };
}
