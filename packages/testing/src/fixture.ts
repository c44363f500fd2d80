import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccounts } from '../../../apps/server/src/accounts/service.ts';
import { createAccountStore } from '../../../apps/server/src/accounts/store.ts';
import { systemClock } from '../../../apps/server/src/kernel/clock.ts';
import { createIds } from '../../../apps/server/src/kernel/ids.ts';
import { createPostgres, type Postgres, sql } from '../../../apps/server/src/platform/postgres/postgres.ts';
import { addTestPlan, createTestAccount, type TestAccount } from './api.ts';
import { createTestDatabase, databaseEnv, natsUrl, redisUrl } from './database.ts';
import { TestServer } from './server.ts';

/** A database with accounts, and the environment of servers that work on it. */
export type Fixture = {
  readonly env: Record<string, string>;
  readonly db: Postgres;
  account(plan?: string): Promise<TestAccount>;
  /** Creates a plan with these limits. */
  plan(name: string, requestsPerMinute: number, codeQuota: number | null): Promise<void>;
  server(more?: Record<string, string>, role?: string): Promise<TestServer>;
  close(): Promise<void>;
};

export async function createFixture(
  more: Record<string, string> = {},
  postgresServerUrl?: string,
): Promise<Fixture> {
  const databaseUrl = await createTestDatabase(postgresServerUrl);
  const env = {
    ...databaseEnv(databaseUrl),
    REDIS_URL: redisUrl,
    NATS_URL: natsUrl,
    ANONYMOUS_REQUESTS_PER_MINUTE: '10000000',
    SPOOL_DIR: mkdtempSync(join(tmpdir(), 'signpost-spool-')),
    ...more,
  };
  const db = createPostgres(
    { databaseUrl, databasePooler: 'none', databasePoolSize: 4, databaseTimeoutMs: 30_000 },
    () => {},
  );
  const accounts = createAccounts({
    store: createAccountStore(db),
    keyInvalidator: { invalidate: async () => {} },
    ids: createIds(systemClock),
    clock: systemClock,
  });
  await addTestPlan({ db });
  const servers: TestServer[] = [];
  return {
    env,
    db,
    account: plan => createTestAccount({ accounts }, plan),
    async plan(name, requestsPerMinute, codeQuota) {
      await db.query(addPlan, [name, requestsPerMinute, codeQuota]);
    },
    async server(extra = {}, role = 'api') {
      const server = await TestServer.start(role, { ...env, ...extra });
      servers.push(server);
      return server;
    },
    async close() {
      await Promise.all(servers.map(server => server.end('SIGTERM')));
      await db.close();
    },
  };
}

const addPlan = sql(
  'add-plan',
  `insert into plans (name, requests_per_minute, code_quota, quota_scope, webhooks, test_codes, creations_per_minute)
   values ($1, $2, $3, 'pool', true, null, null)`,
);
