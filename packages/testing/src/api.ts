import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { InjectOptions } from 'fastify';
import { runAdmin } from '../../../apps/server/src/commands/admin.ts';
import { type Config, readConfig } from '../../../apps/server/src/config/config.ts';
import type { Mode } from '../../../apps/server/src/kernel/caller.ts';
import { createLogger } from '../../../apps/server/src/platform/logger.ts';
import { sql } from '../../../apps/server/src/platform/postgres/postgres.ts';
import type { RedisClient } from '../../../apps/server/src/platform/redis/redis.ts';
import { type Api, buildApi } from '../../../apps/server/src/roles/api.ts';
import { openScanStore } from '../../../apps/server/src/roles/scan-store.ts';
import { openShared } from '../../../apps/server/src/roles/shared.ts';
import { cheapPasswords } from './cheap-passwords.ts';
import { createTestDatabase, databaseEnv, natsUrl, redisUrl } from './database.ts';
import { onOneConnection, watchConnections } from './one-connection.ts';

/** The API in this process, on real engines, called by `inject`. */
export type TestApi = {
  readonly api: Api;
  readonly redis: RedisClient;
  readonly config: Config;
  readonly log: string[];
  account(plan?: string): Promise<TestAccount>;
  call(options: CallOptions): Promise<Reply>;
  /** Runs an operator command; resolves to its output. */
  admin(...args: string[]): Promise<string>;
  /** The metrics as Prometheus would scrape them. */
  metrics(): Promise<string>;
  close(): Promise<unknown>;
};

export type TestAccount = { readonly id: string; readonly live: string; readonly test: string };

export type CallOptions = {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT' | 'HEAD' | 'OPTIONS';
  readonly url: string;
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly address?: string;
};

export type Reply = {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
  readonly bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  readonly body: any;
};

type Options = {
  /** Hashes passwords at full cost, for tests of how long sign-in takes. */
  readonly realPasswords?: boolean;
  /** Shortens the rate limit's minute, for tests of what happens after it. */
  readonly windowMs?: number;
  /** A build of the dashboard. */
  readonly dashboardRoot?: string;
  /** A packed SDK. */
  readonly sdkPackage?: string;
  /** A build of the reference. */
  readonly referenceRoot?: string;
  /** Adds routes before the app is ready. */
  readonly prepare?: (app: Api['app'], api: Api) => void;
};

export async function createTestApi(
  env: Record<string, string> = {},
  options: Options = {},
): Promise<TestApi> {
  const config = readConfig({
    ...databaseEnv(await createTestDatabase()),
    REDIS_URL: redisUrl,
    NATS_URL: natsUrl,
    ANONYMOUS_REQUESTS_PER_MINUTE: '1000000',
    PUBLIC_URL: 'https://api.signpost.example',
    SHORT_BASE_URL: 'https://sign.example',
    SPOOL_DIR: mkdtempSync(join(tmpdir(), 'signpost-spool-')),
    ...env,
  });
  const log: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      log.push(String(chunk));
      done();
    },
  });
  const { prepare, realPasswords = false, ...apiOptions } = options;
  const logger = createLogger('info', 'test', sink);
  const shared = openShared('test', config, logger);
  const watched = watchConnections(shared, await openScanStore(shared));
  const api = buildApi({
    ...watched,
    ...apiOptions,
    ...(realPasswords ? {} : { passwords: cheapPasswords }),
  });
  prepare?.(api.app, api);
  await addTestPlan(api);
  await api.app.ready();
  shared.readiness.start();
  return {
    api,
    redis: watched.redis,
    config,
    log,
    account: plan => createTestAccount(api, plan),
    call: options => onOneConnection(() => call(api, options)),
    async admin(...args) {
      const lines: string[] = [];
      await runAdmin(args, config, line => lines.push(line));
      return lines.join('\n');
    },
    metrics: () => shared.metrics.registry.metrics(),
    close: () => api.close(),
  };
}

/** Webhooks without a limit in practice, and with a name server that does not answer. */
export const roomyWebhooks = {
  WEBHOOK_SECRET_KEYS: Buffer.alloc(32, 'k').toString('base64'),
  WEBHOOKS_PER_ACCOUNT: '1000000',
  WEBHOOK_DNS_SERVERS: '127.0.0.1:9',
};

/** A plan with limits that no test reaches. */
export const roomyPlan = 'roomy';

export const addTestPlan = (api: Pick<Api, 'db'>) =>
  api.db.query(
    sql(
      'add-test-plan',
      `insert into plans (name, requests_per_minute, code_quota, quota_scope, webhooks, test_codes, creations_per_minute)
       values ('${roomyPlan}', 10000000, null, 'pool', true, null, null) on conflict do nothing`,
    ),
  );

export async function createTestAccount(
  { accounts }: Pick<Api, 'accounts'>,
  plan = roomyPlan,
): Promise<TestAccount> {
  const { id } = await accounts.create('Test', plan);
  const key = async (mode: Mode) => (await accounts.createKey(id, mode)).key.text;
  return { id, live: await key('live'), test: await key('test') };
}

async function call(
  { app }: Api,
  { method = 'GET', url, key, body, headers = {}, address }: CallOptions,
): Promise<Reply> {
  const request: InjectOptions = {
    method,
    url,
    headers: {
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(body !== undefined ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body !== undefined ? { payload: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
    ...(address ? { remoteAddress: address } : {}),
  };
  const response = await app.inject(request);
  return {
    status: response.statusCode,
    headers: response.headers as Record<string, string>,
    text: response.body,
    bytes: response.rawPayload,
    body: response.body.startsWith('{') ? JSON.parse(response.body) : undefined,
  };
}
