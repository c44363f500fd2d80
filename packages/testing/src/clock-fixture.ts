import { expect } from 'vitest';
import { createNats } from '../../../apps/server/src/platform/nats/nats.ts';
import { sql } from '../../../apps/server/src/platform/postgres/postgres.ts';
import { encodeBatch } from '../../../apps/server/src/scans/log/format/batch.ts';
import { createScanLog } from '../../../apps/server/src/scans/log/scan-log.ts';
import { ask } from './client.ts';
import { dashboardEnv } from './people.ts';
import type { TestServer } from './server.ts';
import { createWebhookFixture, type WebhookFixture } from './webhook-fixture.ts';

/** An installation with all data that a wrong clock could delete, and checks of whether it did. */
export type ClockFixture = Awaited<ReturnType<typeof createClockFixture>>;

export const sessionDays = 30;

export async function createClockFixture() {
  const fixture = await createWebhookFixture({
    env: { ...dashboardEnv, SESSION_DAYS: String(sessionDays), TRUSTED_PROXIES: '127.0.0.0/8' },
  });
  return {
    fixture,
    retained: () => retainedIn(fixture),
    /** Inserts rows that are due to be removed: when they are gone, the background jobs have run. */
    async insertExpired(...names: (keyof typeof expired)[]): Promise<void> {
      for (const name of names) await fixture.db.query(sql(`expired-${name}`, expired[name]));
    },
    async expiredIsGone(): Promise<boolean> {
      const { tables, salts, answers } = await retainedIn(fixture);
      const names = [...tables, ...salts, ...answers];
      return !names.some(name => name === 'visitors_2020_01' || name.startsWith('2020-01') || name === 'old');
    },
    /** Days until the newest session ends, by PostgreSQL's clock. */
    daysOfNewestSession: async () => (await fixture.db.query<{ days: number }>(newestSession))[0]!.days,
    stored: () => storedTimes(fixture),
    repeatBatches: () => repeatBatches(fixture),
    close: () => fixture.remove(),
  };
}

/** The names of everything that is deleted by age. */
async function retainedIn({ db }: WebhookFixture) {
  const rows = async (statement: string, text: string) =>
    (await db.query<{ name: string }>(sql(statement, text))).map(row => row.name);
  return {
    batches: await rows('retained-batches', 'select batch_id::text as name from scan_batches order by 1'),
    visitors: await rows(
      'retained-visitors',
      'select visitor::text || time_window as name from visitors order by 1',
    ),
    tables: await rows(
      'retained-tables',
      `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent in ('visitors'::regclass, 'account_visitors'::regclass) order by 1`,
    ),
    salts: await rows(
      'retained-salts',
      `select "window" || encode(salt, 'hex') as name from visitor_salts order by 1`,
    ),
    sessions: await rows('retained-sessions', 'select id::text as name from auth_sessions order by 1'),
    answers: await rows('retained-answers', 'select key as name from idempotency_keys order by 1'),
  };
}

const expired = {
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

/** The time of every stored scan, and the time in its id. */
async function storedTimes({ db }: WebhookFixture): Promise<readonly (readonly [number, number])[]> {
  const rows = await db.query<{ id: string; ms: number }>(storedMoments);
  return rows.map(({ id, ms }) => [ms, Number.parseInt(id.replace('-', '').slice(0, 12), 16)]);
}

const storedMoments = sql(
  'stored-moments',
  'select id, (extract(epoch from at) * 1000)::float8 as ms from scans',
);

/** Appends every batch a second time, as a redirect does that did not get the first ack. */
async function repeatBatches(fixture: WebhookFixture): Promise<void> {
  const nats = createNats(fixture.nats.url);
  await nats.whenConnected(AbortSignal.timeout(10_000));
  const log = createScanLog({ nats });
  const last = await log.lastPosition(0);
  for await (const entry of log.read(0, 0, AbortSignal.timeout(60_000))) {
    if (entry.kind === 'batch') await log.appender(0).append(encodeBatch(entry.batch), 5_000);
    if (entry.position >= last) break;
  }
  await nats.close();
}

/** Signs up or in, and returns the cookies of the session. */
export async function enter(
  api: TestServer,
  operation: 'sign-up' | 'sign-in',
  body: object,
): Promise<string> {
  const headers = { origin: 'http://localhost:8080' };
  const response = await ask({ method: 'POST', url: `${api.url}/auth/${operation}`, body, headers });
  expect(response.status).toBeLessThan(300);
  const cookies = [response.headers['set-cookie'] ?? []].flat();
  return cookies.map(cookie => cookie.split(';')[0]).join('; ');
}
