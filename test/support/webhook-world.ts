import { randomBytes } from 'node:crypto';
import { startClickHouse } from '../../tools/engines/clickhouse.ts';
import type { Engine } from '../../tools/engines/engine.ts';
import { startNats } from '../../tools/engines/nats.ts';
import { startPostgres } from '../../tools/engines/postgres.ts';
import type { TestAccount } from './api.ts';
import { type Answer, ask } from './client.ts';
import { runCommand } from './server.ts';
import { createWorld, type World } from './world.ts';

/** A world with a queue of its own, so that nobody else's deliverer takes its messages. */
export type WebhookWorld = World & {
  readonly nats: Engine;
  readonly clickhouse: Engine;
  /** Only where it was asked for. */
  readonly postgres: Engine | null;
  remove(): Promise<void>;
};

type Options = { readonly ownPostgres?: boolean; readonly env?: Record<string, string> };

export async function createWebhookWorld({
  ownPostgres = false,
  env = {},
}: Options = {}): Promise<WebhookWorld> {
  const [nats, clickhouse, postgres] = await Promise.all([
    startNats(),
    startClickHouse(),
    ownPostgres ? startPostgres() : null,
  ]);
  const world = await createWorld(
    {
      NATS_URL: nats.url,
      CLICKHOUSE_URL: clickhouse.url,
      WEBHOOK_SECRET_KEYS: randomBytes(32).toString('base64'),
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      WEBHOOKS_PER_ACCOUNT: '100',
      // All receivers are on one host here; a proof of the rate sets its own.
      WEBHOOK_HOST_RATE: '10000',
      ...env,
    },
    postgres?.url,
  );
  const migrated = await runCommand(['migrate'], world.env);
  if (migrated.code !== 0) throw new Error(migrated.output);
  return {
    ...world,
    nats,
    clickhouse,
    postgres,
    async remove() {
      await world.close();
      await Promise.all([nats, clickhouse, postgres].map(engine => engine?.remove()));
    },
  };
}

/** Calls of an account to the API of a server. */
export function callerOf(baseUrl: string, key: string) {
  const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
    ask({ method, url: `${baseUrl}${path}`, key, ...(body === undefined ? {} : { body }) });
  return {
    get: (path: string) => call('GET', path),
    post: (path: string, body?: unknown) => call('POST', path, body),
    patch: (path: string, body: unknown) => call('PATCH', path, body),
    delete: (path: string) => call('DELETE', path),
    async webhook(url: string): Promise<{ id: string; secret: string }> {
      const { status, body } = await call('POST', '/v1/webhooks', { url });
      if (status !== 201) throw new Error(JSON.stringify(body));
      return body;
    },
    async code(): Promise<{ id: string; short_code: string; short_url: string }> {
      const { body } = await call('POST', '/v1/qrcodes', {
        name: 'a',
        destination_url: 'https://example.com',
      });
      return body;
    },
  };
}

export type Calls = ReturnType<typeof callerOf>;
export type { TestAccount };
