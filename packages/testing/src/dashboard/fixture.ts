import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../engines/free-port.ts';
import { startNats } from '../engines/nats.ts';
import { createFixture, type Fixture } from '../fixture.ts';
import { dashboardEnv } from '../people.ts';
import { runCommand, TestServer } from '../server.ts';

/** The whole service in one process, with its dashboard. */
export type DashboardFixture = {
  readonly url: string;
  readonly base: Fixture;
  /** Opens a short link as a phone would. */
  scan(shortUrl: string, from?: { address?: string; agent?: string }): Promise<number>;
  close(): Promise<void>;
};

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';

/** On the PostgreSQL of all tests, or on one that the test can stop; as `all`, or as `solo` without Redis and NATS. */
export async function createDashboardFixture(
  env: Record<string, string> = {},
  postgresServerUrl?: string,
  role: 'all' | 'solo' = 'all',
): Promise<DashboardFixture> {
  const dir = mkdtempSync(join(tmpdir(), 'signpost-dashboard-'));
  // A separate NATS, so that no other deliver process takes its webhooks.
  const nats = role === 'all' ? await startNats() : null;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const settings = {
    ...dashboardEnv,
    ...(nats ? { NATS_URL: nats.url } : { NATS_URL: '', REDIS_URL: '' }),
    CLICKHOUSE_URL: '',
    SPOOL_DIR: join(dir, 'spool'),
    PUBLIC_URL: url,
    TRUSTED_PROXIES: '127.0.0.0/8',
    WEBHOOK_SECRET_KEYS: randomBytes(32).toString('base64'),
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    DEFAULT_PLAN: 'business',
    ...env,
  };
  const base = await createFixture(settings, postgresServerUrl);
  const migrated = await runCommand(['migrate'], base.env);
  if (migrated.code !== 0) throw new Error(migrated.output);
  const server = await TestServer.start(role, base.env, { port });
  return {
    url,
    base,
    async scan(shortUrl, { address = '203.0.113.7', agent = iphone } = {}) {
      const headers = { 'x-forwarded-for': address, 'user-agent': agent };
      return (await fetch(shortUrl, { redirect: 'manual', headers })).status;
    },
    async close() {
      await server.end('SIGTERM');
      await base.close();
      await nats?.remove();
    },
  };
}
