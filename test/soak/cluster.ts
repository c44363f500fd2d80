import { randomBytes } from 'node:crypto';
import { roomyPlan } from '@signpost/testing/api.ts';
import { type Ask, ask } from '@signpost/testing/client.ts';
import { freePort } from '@signpost/testing/engines/free-port.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { startPostgres } from '@signpost/testing/engines/postgres.ts';
import { startRedis } from '@signpost/testing/engines/redis.ts';
import { createFixture } from '@signpost/testing/fixture.ts';
import { dashboardEnv, goodPassword, newEmail } from '@signpost/testing/people.ts';
import { runCommand, TestServer } from '@signpost/testing/server.ts';

const roles = ['api', 'redirect', 'ingest', 'deliver'] as const;
type Role = (typeof roles)[number];

const collector = new URL('collect-garbage.ts', import.meta.url).href;

/**
 * Keeps memory that is reserved but unused small, so that what remains is really held: V8's young generation grows to 48 MB
 * at will, and malloc keeps freed memory for every thread.
 */
const withoutSlack = {
  NODE_OPTIONS: `--expose-gc --max-semi-space-size=4 --import ${collector}`,
  MALLOC_ARENA_MAX: '1',
};

type Code = { readonly id: string; readonly shortCode: string };

/** Each role in its own process, on its own engines, and an account with codes, a key, a webhook and a session. */
export type Cluster = {
  readonly servers: Readonly<Record<Role, TestServer>>;
  readonly key: string;
  /** Of a user who is signed in to the dashboard. */
  readonly cookie: string;
  readonly webhookId: string;
  readonly codes: readonly Code[];
  /** Stops everything. Resolves to errors that the processes logged, and to exit codes other than 0. */
  close(): Promise<readonly string[]>;
};

export async function openCluster(codeCount: number, webhookUrl: string): Promise<Cluster> {
  const engines = await Promise.all([startPostgres(), startRedis(), startNats()]);
  const [postgres, redis, nats] = engines;
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const fixture = await createFixture(
    {
      ...dashboardEnv,
      REDIS_URL: redis.url,
      NATS_URL: nats.url,
      PUBLIC_URL: publicUrl,
      // Not the public address: destinations that lead back to short links are refused.
      SHORT_BASE_URL: 'http://short.example',
      WEBHOOK_SECRET_KEYS: randomBytes(32).toString('base64'),
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      WEBHOOK_HOST_RATE: '10000',
      LOG_LEVEL: 'warn',
    },
    postgres.url,
  );
  const migrated = await runCommand(['migrate'], fixture.env);
  if (migrated.code !== 0) throw new Error(migrated.output);
  const env = { ...fixture.env, ...withoutSlack };
  const started = await Promise.all(
    roles.map(async role => [role, await TestServer.start(role, env, role === 'api' ? { port } : {})]),
  );
  const servers: Record<Role, TestServer> = Object.fromEntries(started);

  const { key, cookie } = await signUp(publicUrl);
  // The rate limit of the plan for new accounts would slow the load.
  await fixture.db.query({ name: 'soak-plan', text: `update accounts set plan = '${roomyPlan}'` });
  const post = (path: string, body: unknown) =>
    askOk({ method: 'POST', url: `${publicUrl}${path}`, key, body });
  const webhook = await post('/v1/webhooks', { url: webhookUrl });
  const items = Array.from({ length: codeCount }, (_, n) => ({
    name: `Code ${n}`,
    destination_url: `https://example.com/${n}`,
  }));
  const created = await post('/v1/qrcodes/bulk', { items });
  type Entry = { qr_code: { id: string; short_code: string } };
  return {
    servers,
    key,
    cookie,
    webhookId: webhook.body.id,
    codes: created.body.data.map(({ qr_code }: Entry) => ({ id: qr_code.id, shortCode: qr_code.short_code })),
    async close() {
      const faults = await Promise.all(Object.entries(servers).map(([role, server]) => endOf(role, server)));
      await fixture.close();
      await Promise.all(engines.map(engine => engine.remove()));
      return faults.flat();
    },
  };
}

/** A new user with a session and a live key. */
async function signUp(url: string): Promise<{ key: string; cookie: string }> {
  const headers = { origin: url };
  const person = { name: 'Soak', email: newEmail(), password: goodPassword };
  const signedUp = await askOk({ method: 'POST', url: `${url}/auth/sign-up`, body: person, headers });
  const cookie = [signedUp.headers['set-cookie'] ?? []]
    .flat()
    .map(header => header.split(';')[0])
    .join('; ');
  const body = { name: 'soak', mode: 'live', current_password: goodPassword };
  const created = await askOk({
    method: 'POST',
    url: `${url}/account/keys`,
    body,
    headers: { ...headers, cookie },
  });
  return { key: created.body.key, cookie };
}

async function askOk(request: Ask) {
  const answer = await ask(request);
  if (answer.status >= 400)
    throw new Error(`${request.url} answers ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer;
}

async function endOf(role: string, server: TestServer): Promise<string[]> {
  const code = await server.end('SIGTERM');
  const lines = server.log().split('\n').filter(isFault);
  return [...lines.map(line => `${role} logs ${line}`), ...(code === 0 ? [] : [`${role} ends with ${code}`])];
}

/** An error, or a line that is no log line at all, such as the stack trace of a crash. */
function isFault(line: string): boolean {
  return line !== '' && !/^\{"level":"(warn|info|debug|trace)"/.test(line);
}
