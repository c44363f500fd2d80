import { randomBytes } from 'node:crypto';
import { startClickHouse } from '../../tools/engines/clickhouse.ts';
import { freePort } from '../../tools/engines/free-port.ts';
import { startNats } from '../../tools/engines/nats.ts';
import { startPostgres } from '../../tools/engines/postgres.ts';
import { startRedis } from '../../tools/engines/redis.ts';
import { roomyPlan } from '../support/api.ts';
import { type Ask, ask } from '../support/client.ts';
import { dashboardEnv, goodPassword, newEmail } from '../support/people.ts';
import { runCommand, TestServer } from '../support/server.ts';
import { createWorld } from '../support/world.ts';

const roles = ['api', 'redirect', 'ingest', 'deliver'] as const;
type Role = (typeof roles)[number];

const collector = new URL('collect.ts', import.meta.url).href;

/**
 * What a process takes and does not need is kept small, so that what is left is held: V8's room for young objects grows to 48
 * MB when it likes, and malloc keeps a store of freed memory for every thread.
 */
const withoutSlack = {
  NODE_OPTIONS: `--expose-gc --max-semi-space-size=4 --import ${collector}`,
  MALLOC_ARENA_MAX: '1',
};

export type Code = { readonly id: string; readonly shortCode: string };

/** Each role in a process of its own, on engines of its own, and an account with codes, a key, a webhook and a session. */
export type Stage = {
  readonly servers: Readonly<Record<Role, TestServer>>;
  readonly key: string;
  /** Of somebody who is signed in to the dashboard. */
  readonly cookie: string;
  readonly webhookId: string;
  readonly codes: readonly Code[];
  /** Ends everything. Resolves to what the processes have said or done that they should not have. */
  close(): Promise<readonly string[]>;
};

export async function openStage(codeCount: number, webhookUrl: string): Promise<Stage> {
  const engines = await Promise.all([startPostgres(), startRedis(), startNats(), startClickHouse()]);
  const [postgres, redis, nats, clickhouse] = engines;
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const world = await createWorld(
    {
      ...dashboardEnv,
      REDIS_URL: redis.url,
      NATS_URL: nats.url,
      CLICKHOUSE_URL: clickhouse.url,
      PUBLIC_URL: publicUrl,
      // Unlike the public address, or the destinations of codes could lead back to it.
      SHORT_BASE_URL: 'http://short.example',
      WEBHOOK_SECRET_KEYS: randomBytes(32).toString('base64'),
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      WEBHOOK_HOST_RATE: '10000',
      LOG_LEVEL: 'warn',
    },
    postgres.url,
  );
  const migrated = await runCommand(['migrate'], world.env);
  if (migrated.code !== 0) throw new Error(migrated.output);
  const env = { ...world.env, ...withoutSlack };
  const started = await Promise.all(
    roles.map(async role => [role, await TestServer.start(role, env, role === 'api' ? { port } : {})]),
  );
  const servers: Record<Role, TestServer> = Object.fromEntries(started);

  const { key, cookie } = await signUp(publicUrl);
  // The rate of the plan that people sign up to would be in the way.
  await world.db.query({ name: 'soak-plan', text: `update accounts set plan = '${roomyPlan}'` });
  const post = (path: string, body: unknown) =>
    done({ method: 'POST', url: `${publicUrl}${path}`, key, body });
  const webhook = await post('/v1/webhooks', { url: webhookUrl });
  const items = Array.from({ length: codeCount }, (_, n) => ({
    name: `Code ${n}`,
    destination_url: `https://example.com/${n}`,
  }));
  const made = await post('/v1/qrcodes/bulk', { items });
  type Entry = { qr_code: { id: string; short_code: string } };
  return {
    servers,
    key,
    cookie,
    webhookId: webhook.body.id,
    codes: made.body.data.map(({ qr_code }: Entry) => ({ id: qr_code.id, shortCode: qr_code.short_code })),
    async close() {
      const faults = await Promise.all(Object.entries(servers).map(([role, server]) => endOf(role, server)));
      await world.close();
      await Promise.all(engines.map(engine => engine.remove()));
      return faults.flat();
    },
  };
}

/** Somebody new, with a session and a live key. */
async function signUp(url: string): Promise<{ key: string; cookie: string }> {
  const headers = { origin: url };
  const person = { name: 'Somebody', email: newEmail(), password: goodPassword };
  const signedUp = await done({ method: 'POST', url: `${url}/auth/sign-up`, body: person, headers });
  const cookie = [signedUp.headers['set-cookie'] ?? []]
    .flat()
    .map(one => one.split(';')[0])
    .join('; ');
  const body = { name: 'soak', mode: 'live', current_password: goodPassword };
  const made = await done({
    method: 'POST',
    url: `${url}/account/keys`,
    body,
    headers: { ...headers, cookie },
  });
  return { key: made.body.key, cookie };
}

async function done(what: Ask) {
  const answer = await ask(what);
  if (answer.status >= 400)
    throw new Error(`${what.url} answers ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer;
}

async function endOf(role: string, server: TestServer): Promise<string[]> {
  const code = await server.end('SIGTERM');
  const lines = server.log().split('\n').filter(isFault);
  return [...lines.map(line => `${role} logs ${line}`), ...(code === 0 ? [] : [`${role} ends with ${code}`])];
}

/** An error, or what is no line of the log at all: the last words of a process that broke. */
function isFault(line: string): boolean {
  return line !== '' && !/^\{"level":"(warn|info|debug|trace)"/.test(line);
}
