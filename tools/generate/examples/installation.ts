import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from '@signpost/testing/client.ts';
import { startClickHouse } from '@signpost/testing/engines/clickhouse.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { mmdbFile } from '@signpost/testing/mmdb.ts';
import { type EngineProxy, startProxy } from '@signpost/testing/proxy.ts';
import { type AnswerWith, type Receiver, startReceiver } from '@signpost/testing/receiver.ts';
import type { TestServer } from '@signpost/testing/server.ts';
import { createWebhookFixture, type WebhookFixture } from '@signpost/testing/webhook-fixture.ts';
import { runAdmin } from '../../../apps/server/src/commands/admin.ts';
import { readConfig } from '../../../apps/server/src/config/config.ts';

const publicUrl = 'https://qr.example.com';

/** The whole service in one process, behind the address that the examples show, and a receiver of its webhooks. */
export type Installation = {
  readonly fixture: WebhookFixture;
  readonly server: TestServer;
  /** Between the server and ClickHouse, for what happens without it. */
  readonly clickhouse: EngineProxy;
  readonly receiver: Receiver;
  /** What the receiver answers from now on. */
  receiverAnswers(status: 204 | 503): void;
  /** Runs a command of the operator; resolves to its output. */
  admin(...args: string[]): Promise<string>;
  /** Opens a short link as somebody's phone in Hamburg does. */
  scan(shortUrl: string): Promise<void>;
  close(): Promise<void>;
};

const visitor = '203.0.113.24';
const hamburg = {
  country: { iso_code: 'DE' },
  subdivisions: [{ names: { en: 'Hamburg' } }],
  city: { names: { en: 'Hamburg' } },
};
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';

/** Shorter than usual, since one example waits for it. */
const analyticsTimeoutMs = 1_500;

export async function startInstallation(): Promise<Installation> {
  const engine = await startClickHouse();
  const clickhouse = await startProxy(engine.port);
  const fixture = await createWebhookFixture({
    env: {
      CLICKHOUSE_URL: `http://127.0.0.1:${clickhouse.port}`,
      PUBLIC_URL: publicUrl,
      TRUSTED_PROXIES: '127.0.0.0/8',
      AUTH_SECRET: randomBytes(24).toString('hex'),
      ANALYTICS_TIMEOUT_MS: String(analyticsTimeoutMs),
    },
  });
  const geoip = join(fixture.env.SPOOL_DIR!, 'city.mmdb');
  writeFileSync(geoip, mmdbFile({ [`${visitor}/32`]: hamburg }));
  const server = await fixture.server({ GEOIP_FILES: geoip }, 'all');
  let status: 204 | 503 = 204;
  // Without Retry-After the next attempt would come within seconds, on a slow machine before the story goes on.
  const answer: AnswerWith = (_arrival, response) =>
    status === 204
      ? response.writeHead(204).end()
      : response.writeHead(503, { 'retry-after': '300' }).end('Down for maintenance');
  const receiver = await startReceiver(answer);
  const config = readConfig(fixture.env);
  await waitUntil('every part is ready', async () => (await fetch(server.readyUrl)).ok);
  return {
    fixture,
    server,
    clickhouse,
    receiver,
    receiverAnswers: next => {
      status = next;
    },
    async admin(...args) {
      const lines: string[] = [];
      await runAdmin(args, config, line => lines.push(line));
      return lines.join('\n');
    },
    async scan(shortUrl) {
      const headers = { 'x-forwarded-for': visitor, 'user-agent': phone };
      const answered = await ask({ url: server.url + new URL(shortUrl).pathname, headers });
      if (answered.status !== 302) throw new Error(`${shortUrl} answered ${answered.status}`);
    },
    async close() {
      await receiver.close();
      await fixture.remove();
      clickhouse.close();
      await engine.remove();
    },
  };
}
