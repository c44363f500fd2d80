import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestApi, roomyWebhooks, type TestApi } from '@signpost/testing/api.ts';
import { ask, inParallel } from '@signpost/testing/client.ts';
import { createTestDatabase, natsUrl, pooledEnv, postgresUrl, redisUrl } from '@signpost/testing/database.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startPgBouncer } from '@signpost/testing/engines/pgbouncer.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { dashboardEnv, goodPassword, newEmail } from '@signpost/testing/people.ts';
import { startReceiver } from '@signpost/testing/receiver.ts';
import { callerOf, createWebhookFixture } from '@signpost/testing/webhook-fixture.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { runBackup } from '../apps/server/src/commands/backup.ts';
import { runSpool } from '../apps/server/src/commands/spool.ts';
import { readConfig } from '../apps/server/src/config/config.ts';
import { migrate, requireMigrated } from '../apps/server/src/platform/postgres/migrations.ts';
import { createPostgres, sql } from '../apps/server/src/platform/postgres/postgres.ts';

let pooler: Engine;
let env: Record<string, string>;
let api: TestApi;

beforeAll(async () => {
  // Fewer connections than callers: each serves many callers, one transaction at a time.
  pooler = await startPgBouncer({ postgresUrl, poolSize: 3 });
  env = pooledEnv(await createTestDatabase(), pooler.url);
  api = await createTestApi({ ...env, ...dashboardEnv, ...roomyWebhooks, DEFAULT_PLAN: 'roomy' });
});
afterAll(async () => {
  await api?.close();
  await pooler?.remove();
});

const origin = 'https://api.signpost.example';

/** Typical calls of an owner, by key and in the dashboard. */
async function live(): Promise<number[]> {
  const statuses: number[] = [];
  const call = async (options: Parameters<TestApi['call']>[0]) => {
    const reply = await api.call(options);
    statuses.push(reply.status);
    return reply;
  };
  const { live: key } = await api.account();
  const body = { name: 'Menu', destination_url: 'https://example.com/menu' };
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const made = await call({ method: 'POST', url: '/v1/qrcodes', key, body, headers });
  const again = await call({ method: 'POST', url: '/v1/qrcodes', key, body, headers });
  expect(again.body.id).toBe(made.body.id);
  const url = `/v1/qrcodes/${made.body.id}`;
  const items = Array.from({ length: 20 }, () => body);
  await call({ method: 'POST', url: '/v1/qrcodes/bulk', key, body: { items } });
  for (const name of ['Lunch', 'Dinner']) await call({ method: 'PATCH', url, key, body: { name } });
  expect((await call({ url, key })).body.name).toBe('Dinner');
  const hook = await call({ method: 'POST', url: '/v1/webhooks', key, body: { url: 'https://192.0.2.1/' } });
  expect(hook.status).toBe(400);
  await call({ method: 'DELETE', url, key });
  expect((await call({ url: '/v1/qrcodes', key })).body.pagination.total).toBe(20);

  const person = { name: 'Somebody', email: newEmail(), password: goodPassword };
  const signedUp = await call({ method: 'POST', url: '/auth/sign-up', body: person, headers: { origin } });
  const cookie = String(signedUp.headers['set-cookie']).split(';')[0]!;
  const browser = { origin, cookie };
  const keys = { mode: 'live', name: 'Till', current_password: goodPassword };
  await call({ method: 'POST', url: '/account/keys', headers: browser, body: keys });
  await call({ url: '/account/keys', headers: browser });
  await call({ method: 'POST', url: '/account/v1/qrcodes', headers: browser, body });
  await call({ method: 'POST', url: '/auth/sign-out', headers: browser });
  return statuses;
}

test('the API works behind PgBouncer in transaction mode, with many concurrent callers', async () => {
  const lives = await inParallel(5, 5, live);
  const usual = [201, 201, 200, 200, 200, 200, 400, 200, 200, 201, 201, 200, 201, 200];
  for (const statuses of lives) expect(statuses).toEqual(usual);
  const faults = api.log.filter(line => /"level":(4|5|6)0/.test(line) && /prepared|postgres/i.test(line));
  expect(faults).toEqual([]);
});

test('a transaction has the timeouts of its process, and leaves none on the connection', async () => {
  const config = { ...readConfig(minimal()), databaseTimeoutMs: 300 };
  const db = createPostgres(config, () => undefined);
  await expect(
    db.transaction(tx => tx.query(sql('sleep-in-transaction', 'select pg_sleep(20)'))),
  ).rejects.toMatchObject({ code: 'unavailable', cause: { code: '57014' } });
  const shown = await inParallel(12, 6, () =>
    api.api.db.query<{ statement_timeout: string }>(sql('show-limit', 'show statement_timeout')),
  );
  expect(new Set(shown.flat().map(row => row.statement_timeout))).toEqual(new Set(['5s']));
  await db.close();
});

const minimal = (): Record<string, string> => ({
  ...env,
  REDIS_URL: redisUrl,
  NATS_URL: natsUrl,
  CLICKHOUSE_URL: 'http://127.0.0.1:9',
});

test('a command that needs a direct connection says so, and so does a server if DATABASE_POOLER does not name the pooler', async () => {
  await expect(migrate(env.DATABASE_URL!)).rejects.toThrow('Point DATABASE_DIRECT_URL at PostgreSQL itself');
  const { DATABASE_DIRECT_URL: _, ...without } = minimal();
  await expect(runBackup(['/nowhere'], readConfig(without), () => {})).rejects.toThrow('DATABASE_DIRECT_URL');
  const config = readConfig(minimal());
  await requireMigrated(config);
  await expect(requireMigrated({ ...config, databasePooler: 'none' })).rejects.toThrow(
    'Set DATABASE_POOLER=transaction',
  );
  await requireMigrated({ databaseUrl: config.databaseDirectUrl, databasePooler: 'none' });
});

test('commands that need only the tables work through the pooler', async () => {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const config = readConfig(minimal());
  await runBackup(['--record'], config, print);
  const dir = mkdtempSync(join(tmpdir(), 'signpost-spool-'));
  expect(await runSpool(['drain', '--dir', dir], config, print)).toBe(true);
  expect(lines).toEqual(['Recorded a complete backup as of now.', 'spool drain: 0 batches, 0 scans, 0 left']);
  const undeclared = { ...config, databasePooler: 'none' } as const;
  await expect(runBackup(['--record'], undeclared, print)).rejects.toThrow('Set DATABASE_POOLER=transaction');
  await runSpool(['drain', '--dir', dir], undeclared, print);
  expect(lines.at(-1)).toMatch(/still lists it.* behind a pooler set DATABASE_POOLER=transaction/);
});

test('a pooler in session mode works with the same setting', async () => {
  // Its default, DISCARD ALL, would reset the timeouts of `connect_query` after the first client.
  const settings = { pool_mode: 'session', server_reset_query: '' };
  const session = await startPgBouncer({ postgresUrl, settings });
  onTestFinished(() => session.remove());
  const config = readConfig({ ...minimal(), ...pooledEnv(env.DATABASE_DIRECT_URL!, session.url) });
  await expect(requireMigrated({ ...config, databasePooler: 'none' })).rejects.toThrow(
    'also for session mode',
  );
  await requireMigrated(config);
  const db = createPostgres({ ...config, databasePoolSize: 1 }, () => undefined);
  const limit = sql('session-limit', 'show statement_timeout');
  const inside = await db.transaction(tx => tx.query(limit));
  expect([inside, await db.query(limit)]).toEqual([
    [{ statement_timeout: '5s' }],
    [{ statement_timeout: '5s' }],
  ]);
  await db.close();
});

test('a scan behind PgBouncer is answered, counted and delivered', async () => {
  const fixture = await createWebhookFixture();
  onTestFinished(() => fixture.remove());
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const direct = fixture.env.DATABASE_DIRECT_URL ?? fixture.env.DATABASE_URL!;
  const server = await fixture.server(pooledEnv(direct, pooler.url), 'all');
  const owner = callerOf(server.url, (await fixture.account()).live);
  await owner.webhook(receiver.url);
  const { id, short_url } = await owner.code();
  const { status } = await ask({
    url: server.url + new URL(short_url).pathname,
    headers: { 'user-agent': 'Mozilla/5.0 (iPhone)' },
  });
  expect(status).toBe(302);
  await waitUntil('it is delivered', () => receiver.arrivals.length > 0);
  expect(JSON.parse(receiver.arrivals[0]!.body)).toMatchObject({
    event: 'scan.created',
    data: { qr_id: id },
  });
  await waitUntil('it is counted', async () => (await owner.get(`/v1/qrcodes/${id}`)).body.total_scans === 1);
  expect(server.log()).not.toMatch(/"level":[56]0/);
});
