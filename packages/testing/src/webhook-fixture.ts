import { randomBytes } from 'node:crypto';
import { type Answer, ask } from './client.ts';
import type { Engine } from './engines/engine.ts';
import { startNats } from './engines/nats.ts';
import { startPostgres } from './engines/postgres.ts';
import { createFixture, type Fixture } from './fixture.ts';
import { runCommand } from './server.ts';

/** A fixture with its own NATS, so that no other test's dispatcher takes its messages. */
export type WebhookFixture = Fixture & {
  readonly nats: Engine;
  /** Only with `ownPostgres`. */
  readonly postgres: Engine | null;
  remove(): Promise<void>;
};

type Options = { readonly ownPostgres?: boolean; readonly env?: Record<string, string> };

export async function createWebhookFixture({
  ownPostgres = false,
  env = {},
}: Options = {}): Promise<WebhookFixture> {
  const [nats, postgres] = await Promise.all([startNats(), ownPostgres ? startPostgres() : null]);
  const fixture = await createFixture(
    {
      NATS_URL: nats.url,
      WEBHOOK_SECRET_KEYS: randomBytes(32).toString('base64'),
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      WEBHOOKS_PER_ACCOUNT: '100',
      // All receivers are on one host here; tests of the rate set their own.
      WEBHOOK_HOST_RATE: '10000',
      ...env,
    },
    postgres?.url,
  );
  const migrated = await runCommand(['migrate'], fixture.env);
  if (migrated.code !== 0) throw new Error(migrated.output);
  return {
    ...fixture,
    nats,
    postgres,
    async remove() {
      await fixture.close();
      await Promise.all([nats, postgres].map(engine => engine?.remove()));
    },
  };
}

/** API calls with an account's key. */
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
