import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import { type Answer, ask, inParallel } from '@signpost/testing/client.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startPostgres } from '@signpost/testing/engines/postgres.ts';
import { startRedis } from '@signpost/testing/engines/redis.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { type EngineProxy, startProxy } from '@signpost/testing/proxy.ts';
import { runCommand, TestServer } from '@signpost/testing/server.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../../apps/server/src/kernel/ids.ts';

let postgres: Engine;
let redis: Engine;
let fixture: Fixture;

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  fixture = await createFixture({ REDIS_URL: redis.url }, postgres.url);
});
afterAll(async () => {
  await fixture.close();
  await postgres.remove();
  await redis.remove();
});

/** How often a process is killed between commit and reply. */
const kills = ciScale(5, 2);
const menu = { name: 'Menu', destination_url: 'https://example.com/menu' };
const total = async (server: TestServer, key: string) =>
  (await ask({ url: `${server.url}/v1/qrcodes`, key })).body.pagination.total;

describe('killed between commit and reply', () => {
  let proxy: EngineProxy;
  beforeAll(async () => {
    proxy = await startProxy(postgres.port);
  });
  afterAll(() => proxy.close());

  test('a retry with the same Idempotency-Key still makes one code', async () => {
    const { live: key } = await fixture.account();
    const other = await fixture.server();
    const through = new URL(fixture.env.DATABASE_URL!);
    through.port = String(proxy.port);
    for (let round = 1; round <= kills; round++) {
      const killed = await TestServer.start('api', { ...fixture.env, DATABASE_URL: through.href });
      const idempotencyKey = randomUUID();
      const send = (server: TestServer) =>
        ask({
          method: 'POST',
          url: `${server.url}/v1/qrcodes`,
          key,
          body: menu,
          headers: { 'idempotency-key': idempotencyKey },
        });
      // PostgreSQL has committed; the process dies before it receives the answer.
      proxy.onAnswer = data => {
        if (!data.includes('COMMIT\0')) return true;
        killed.kill('SIGKILL');
        return false;
      };
      await expect(send(killed)).rejects.toThrow();
      await killed.ended();
      proxy.onAnswer = null;
      const retry = await send(other);
      expect(retry.status).toBe(201);
      expect(retry.headers['idempotent-replayed']).toBe('true');
      expect(await total(other, key)).toBe(round);
    }
  });

  test('an edit and a deletion reach every redirect within seconds, although the process that made them is dead', async () => {
    const { live: key } = await fixture.account();
    const [other, edge] = [await fixture.server(), await fixture.server({}, 'redirect')];
    const through = new URL(fixture.env.DATABASE_URL!);
    through.port = String(proxy.port);
    const made = await ask({ method: 'POST', url: `${other.url}/v1/qrcodes`, key, body: menu });
    const code = `/v1/qrcodes/${made.body.id}`;
    const scan = async () => {
      const { status, headers } = await ask({ url: `${edge.url}/${made.body.short_code}` });
      return `${status} ${headers.location ?? ''}`.trim();
    };
    await waitUntil(
      'the redirect has it in memory',
      async () => (await scan()) === `302 ${menu.destination_url}`,
    );
    const changes = [
      ['PATCH', { destination_url: 'https://example.com/summer' }, '302 https://example.com/summer'],
      ['DELETE', undefined, '410'],
    ] as const;
    for (const [method, body, after] of changes) {
      const before = await scan();
      const killed = await TestServer.start('api', { ...fixture.env, DATABASE_URL: through.href });
      proxy.onAnswer = data => {
        if (!data.includes('COMMIT\0')) return true;
        killed.kill('SIGKILL');
        return false;
      };
      const call = { method, url: `${killed.url}${code}`, key, ...(body ? { body } : {}) };
      await expect(ask(call)).rejects.toThrow();
      await killed.ended();
      proxy.onAnswer = null;
      console.log(
        `killed after the commit of ${method}; the next scan: ${await scan()}, before it: ${before}`,
      );
      await waitUntil('the redirect has invalidated it', async () => (await scan()) === after, {
        timeoutMs: 10_000,
      });
      // Rows left here would be relayed by the next process to be killed, whose first commit would then be the wrong one.
      const changesLeft = { name: 'changes-left', text: 'select from link_changes' };
      await waitUntil(
        'all changes are relayed',
        async () => (await fixture.db.query(changesLeft)).length === 0,
      );
    }
  });
});

describe('Redis killed under load', () => {
  test('no 5xx, each process limits by itself, and the count is exact again when Redis is back', async () => {
    await fixture.plan('thirty', 30, null);
    const busy = await fixture.account();
    // On a busy machine an answer of Redis may take longer than usual, and the count is exact only with it.
    const patient = { REDIS_TIMEOUT_MS: '1000' };
    const servers = [await fixture.server(patient), await fixture.server(patient)] as const;
    const answers: Answer[] = [];
    let loading = true;
    const load = inParallel(16, 16, async index => {
      while (loading)
        answers.push(await ask({ url: `${servers[index % 2]!.url}/v1/qrcodes`, key: busy.live }));
    });
    await waitUntil('the load is under way', async () => answers.length > 500);
    await redis.kill('SIGKILL');
    const killedAt = answers.length;
    await waitUntil('the load goes on without Redis', async () => answers.length > killedAt + 1000);

    const limited = await fixture.account('thirty');
    const alone = await inParallel(100, 10, index =>
      ask({ url: `${servers[index % 2]!.url}/v1/qrcodes`, key: limited.live }),
    );
    // Each of the two processes allows at most 30.
    expect(alone.filter(answer => answer.status === 200).length).toBe(60);
    expect(alone.every(answer => answer.status === 200 || answer.status === 429)).toBe(true);
    for (const { headers } of alone) expect(headers['x-ratelimit-limit']).toBe('30');

    await redis.start();
    const back = await fixture.account('thirty');
    await waitUntil('both processes have found Redis again', async () => {
      const ready = await Promise.all(servers.map(server => ask({ url: server.readyUrl })));
      return ready.every(({ body }) => body.redis === 'ok');
    });
    const exact = await inParallel(100, 10, index =>
      ask({ url: `${servers[index % 2]!.url}/v1/qrcodes`, key: back.live }),
    );
    expect(exact.filter(answer => answer.status === 200)).toHaveLength(30);
    loading = false;
    await load;
    expect(answers.filter(answer => answer.status >= 500)).toEqual([]);
    expect(answers.every(answer => answer.status === 200)).toBe(true);
  });

  test('a revocation still holds at once when Redis is away', async () => {
    const servers = [await fixture.server(), await fixture.server()] as const;
    const { live, id } = await fixture.account();
    const call = (index: number) => ask({ url: `${servers[index % 2]!.url}/v1/qrcodes`, key: live });
    for (let i = 0; i < 10; i++) expect((await call(i)).status).toBe(200);
    const keys = await fixture.db.query<{ id: string }>(
      { name: 'live-key', text: `select id from api_keys where account_id = $1 and mode = 'live'` },
      [id],
    );
    await redis.kill('SIGKILL');
    const revoked = await runCommand(['admin', 'revoke-key', formatId('key', keys[0]!.id)], fixture.env);
    expect(revoked.code).toBe(0);
    await redis.start();
    const after = await inParallel(200, 10, call);
    expect(after.filter(answer => answer.status !== 401)).toEqual([]);
  });
});

describe('PostgreSQL away', () => {
  test('the API answers 503 with Retry-After in the usual form, is not ready, and recovers by itself; a redirect stays ready', async () => {
    const server = await fixture.server({ DATABASE_TIMEOUT_MS: '1000' });
    // A load balancer that took redirects out of service now would break every short link.
    const redirect = await fixture.server({}, 'redirect');
    const { live: key } = await fixture.account();
    const url = `${server.url}/v1/qrcodes`;
    for (let i = 0; i < 3; i++) expect((await ask({ url, key })).status).toBe(200);
    await postgres.stop('immediate');
    const away = await ask({ url, key });
    expect(away).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } });
    expect(away.headers).toMatchObject({ 'retry-after': '1', 'x-ratelimit-limit': expect.any(String) });
    await waitUntil('the shared look of before is over', async () => {
      return (await ask({ url: `${server.url}/readyz` })).status === 503;
    });
    expect((await ask({ url: `${server.url}/readyz` })).body).toEqual({ status: 'not ready' });
    expect((await ask({ url: server.readyUrl })).body).toMatchObject({
      status: 'not ready',
      postgres: 'away',
    });
    expect((await ask({ url: `${server.url}/healthz` })).status).toBe(200);
    const { status, body } = await ask({ url: redirect.readyUrl });
    expect([status, body]).toEqual([
      200,
      { status: 'ready', postgres: 'away', nats: 'ok', redis: 'ok', scans: 'ok' },
    ]);
    await postgres.start();
    await waitUntil(
      'the API has found PostgreSQL again',
      async () => (await ask({ url, key })).status === 200,
    );
  });
});

/** Adds the account's counts and does not commit, so that a create has to wait. */
async function holdCounts(accountId: string): Promise<pg.Client> {
  const holder = new pg.Client({ connectionString: fixture.env.DATABASE_URL });
  await holder.connect();
  await holder.query('begin');
  await holder.query(`insert into code_counts (account_id, mode) values ($1, 'live')`, [accountId]);
  return holder;
}

async function someoneWaits(): Promise<boolean> {
  const rows = await fixture.db.query({
    name: 'lock-waiters',
    text: `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  });
  return rows.length > 0;
}

describe('stopping', () => {
  test('a request in flight finishes, new ones are refused, and the process exits in under 10 s', async () => {
    const server = await TestServer.start('api', fixture.env);
    const { live: key, id } = await fixture.account();
    const holder = await holdCounts(id);
    const inFlight = ask({ method: 'POST', url: `${server.url}/v1/qrcodes`, key, body: menu });
    await waitUntil('the create waits for its turn', someoneWaits);
    const start = performance.now();
    const end = server.end('SIGTERM');
    await waitUntil('the port is closed', async () =>
      ask({ url: `${server.url}/healthz`, headers: { connection: 'close' } }).then(
        () => false,
        () => true,
      ),
    );
    await sleep(500);
    await holder.query('commit');
    await holder.end();
    expect((await inFlight).status).toBe(201);
    expect(await end).toBe(0);
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  test('a request that never finishes does not keep the process from exiting', async () => {
    const server = await TestServer.start('api', {
      ...fixture.env,
      SHUTDOWN_TIMEOUT_MS: '1000',
      DATABASE_TIMEOUT_MS: '60000',
    });
    const { live: key, id } = await fixture.account();
    const holder = await holdCounts(id);
    const inFlight = ask({ method: 'POST', url: `${server.url}/v1/qrcodes`, key, body: menu }).catch(
      () => 'cut off',
    );
    await waitUntil('the create waits for its turn', someoneWaits);
    const start = performance.now();
    expect(await server.end('SIGTERM')).toBe(1);
    expect(performance.now() - start).toBeLessThan(5000);
    expect(await inFlight).toBe('cut off');
    await holder.end();
  });
});

describe('starting', () => {
  test('a server refuses to start while a migration is pending, and says what to do', async () => {
    const admin = new pg.Client({ connectionString: postgres.url });
    await admin.connect();
    await admin.query('create database unmigrated');
    await admin.end();
    const env = {
      ...fixture.env,
      DATABASE_URL: new URL('/unmigrated', postgres.url).href,
      CLICKHOUSE_URL: '',
    };
    const refused = await runCommand(['api'], env);
    expect(refused.code).toBe(1);
    expect(refused.output).toMatch(/0001-accounts\.sql.*signpost migrate/);
    const asked = await runCommand(['admin', 'create-account', 'Too early'], env);
    expect(asked).toMatchObject({ code: 1, output: refused.output });
    expect((await runCommand(['migrate'], env)).output).toContain('applied 0001-accounts.sql');
    expect((await runCommand(['migrate'], env)).output).toContain('up to date');
    const server = await TestServer.start('all', env);
    expect(await server.end('SIGTERM')).toBe(0);
  });

  test('wrong settings are named, all at once', async () => {
    const { code, output } = await runCommand(['api'], { API_PORT: 'x' });
    expect(code).toBe(1);
    expect(output).toMatch(/API_PORT[\s\S]*DATABASE_URL[\s\S]*REDIS_URL/);
  });

  test('metrics are on a port of their own', async () => {
    const server = await fixture.server();
    const { live: key } = await fixture.account();
    await ask({ url: `${server.url}/v1/qrcodes`, key });
    const text = String((await ask({ url: server.metricsUrl })).body);
    expect(text).toMatch(/signpost_http_request_seconds_count\{.*route="\/v1\/qrcodes".*\} \d/);
    expect((await ask({ url: `${server.url}/metrics` })).status).toBe(404);
  });
});
