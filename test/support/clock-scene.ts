import { expect } from 'vitest';
import { type ClickHouse, createClickHouse } from '../../apps/server/src/platform/clickhouse.ts';
import { createNats } from '../../apps/server/src/platform/nats.ts';
import { sql } from '../../apps/server/src/platform/postgres.ts';
import { sealBatch } from '../../apps/server/src/scans/batch.ts';
import { createScanLog } from '../../apps/server/src/scans/scan-log.ts';
import { ask } from './client.ts';
import { dashboardEnv } from './people.ts';
import type { TestServer } from './server.ts';
import { createWebhookWorld, type WebhookWorld } from './webhook-world.ts';

/** A world with all that a wrong clock could destroy, and what tells whether it did. */
export type ClockScene = Awaited<ReturnType<typeof createClockScene>>;

export const sessionDays = 30;

export async function createClockScene() {
  const world = await createWebhookWorld({
    env: { ...dashboardEnv, SESSION_DAYS: String(sessionDays), TRUSTED_PROXIES: '127.0.0.0/8' },
  });
  const clickhouse = await createClickHouse(world.clickhouse.url);
  return {
    world,
    kept: () => keptIn(world),
    /** Puts things in that are due to be removed: when they are gone, whoever removes them has had its turn. */
    async plantOld(...names: (keyof typeof old)[]): Promise<void> {
      for (const name of names) await world.db.query(sql(`plant-${name}`, old[name]));
    },
    async oldIsGone(): Promise<boolean> {
      const { tables, salts, answers } = await keptIn(world);
      const all = [...tables, ...salts, ...answers];
      return !all.some(one => one === 'visitors_2020_01' || one.startsWith('2020-01') || one === 'old');
    },
    /** Days until the newest session ends, by PostgreSQL's clock. */
    daysOfNewestSession: async () => (await world.db.query<{ days: number }>(newestSession))[0]!.days,
    stored: () => storedTimes(clickhouse),
    logAgain: () => logAgain(world),
    async close() {
      await clickhouse.close();
      await world.remove();
    },
  };
}

/** The names of everything that is removed by age. */
async function keptIn({ db }: WebhookWorld) {
  const rows = async (name: string, text: string) =>
    (await db.query<{ one: string }>(sql(name, text))).map(row => row.one);
  return {
    batches: await rows('kept-batches', 'select batch_id::text as one from scan_batches order by 1'),
    visitors: await rows(
      'kept-visitors',
      'select visitor::text || time_window as one from visitors order by 1',
    ),
    tables: await rows(
      'kept-tables',
      `select c.relname as one from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent in ('visitors'::regclass, 'account_visitors'::regclass) order by 1`,
    ),
    salts: await rows(
      'kept-salts',
      `select "window" || encode(salt, 'hex') as one from visitor_salts order by 1`,
    ),
    sessions: await rows('kept-sessions', 'select id::text as one from auth_sessions order by 1'),
    answers: await rows('kept-answers', 'select key as one from idempotency_keys order by 1'),
  };
}

const old = {
  batch: `insert into scan_batches values (gen_random_uuid(), now() - interval '9 days')`,
  table: `create table visitors_2020_01 partition of visitors for values in ('2020-01')`,
  salt: `insert into visitor_salts values ('2020-01', sha256('old'), now())`,
  answer: `insert into idempotency_keys
           select account_id, mode, 'old', fingerprint, status, body, now() - interval '25 hours' from idempotency_keys`,
};

const newestSession = sql(
  'session-days-left',
  `select extract(epoch from expires_at - now())::float8 / 86400 as days from auth_sessions order by created_at desc limit 1`,
);

/** The time of every scan that ClickHouse has, and the time in its id. */
async function storedTimes(clickhouse: ClickHouse): Promise<readonly (readonly [number, number])[]> {
  const rows = await clickhouse.query<{ id: string; ms: string }>(
    'select toString(id) as id, toString(toUnixTimestamp64Milli(at)) as ms from scans',
  );
  return rows.map(({ id, ms }) => [Number(ms), Number.parseInt(id.replace('-', '').slice(0, 12), 16)]);
}

/** Every batch comes a second time, as from a redirect that did not hear the first answer. */
async function logAgain(world: WebhookWorld): Promise<void> {
  const nats = createNats(world.nats.url);
  await nats.whenConnected(AbortSignal.timeout(10_000));
  const log = createScanLog({ nats });
  const last = await log.lastPosition(0);
  for await (const entry of log.read(0, 0, AbortSignal.timeout(60_000))) {
    if (entry.kind === 'batch') await log.append(sealBatch(entry.batch), 5_000);
    if (entry.position >= last) break;
  }
  await nats.close();
}

/** Signs up or in; the cookies of the session. */
export async function enter(api: TestServer, how: 'sign-up' | 'sign-in', body: object): Promise<string> {
  const headers = { origin: 'http://localhost:8080' };
  const answer = await ask({ method: 'POST', url: `${api.url}/auth/${how}`, body, headers });
  expect(answer.status).toBeLessThan(300);
  const cookies = [answer.headers['set-cookie'] ?? []].flat();
  return cookies.map(cookie => cookie.split(';')[0]).join('; ');
}
