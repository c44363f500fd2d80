import { ciScale } from '@signpost/testing/ci-scale.ts';
import { type Answer, ask } from '@signpost/testing/client.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { dashboardEnv, goodPassword, newEmail } from '@signpost/testing/people.ts';
import type { TestServer } from '@signpost/testing/server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseId } from '../../apps/server/src/kernel/ids.ts';
import { sql } from '../../apps/server/src/platform/postgres/postgres.ts';

/** Longer than the window in a whole run, so that it slides. */
const hammerMs = ciScale(75, 10) * 1000;
const windowMs = 60_000;
const publicUrl = 'http://localhost:8080';
/** As free has it, but reached within the run; the request rate of free would keep anybody from hammering. */
const testCap = 300;

let world: Fixture;
let servers: readonly [TestServer, TestServer];

beforeAll(async () => {
  // A machine that is held up is no engine that is away: for one each process would count by itself.
  world = await createFixture({
    ...dashboardEnv,
    PUBLIC_URL: publicUrl,
    DEFAULT_PLAN: 'free',
    REDIS_TIMEOUT_MS: '5000',
    DATABASE_TIMEOUT_MS: '60000',
  });
  servers = [await world.server(), await world.server()];
  await world.db.query(
    sql('fast-free', `update plans set requests_per_minute = 1000000 where name = 'free'`),
  );
  await world.db.query(
    sql(
      'capped-free',
      `insert into plans select (jsonb_populate_record(p, jsonb_build_object('name', 'capped', 'test_codes', ${testCap}))).*
         from plans p where name = 'free'`,
    ),
  );
});
afterAll(() => world.close());

const menu = { name: 'Menu', destination_url: 'https://example.com/menu' };
const serverFor = (index: number) => servers[index % 2]!.url;

type Made = { readonly sentMs: number; readonly answeredMs: number; readonly made: number };
type Caller = { readonly path: string; readonly headers?: Record<string, string>; readonly key?: string };

/** Sizes that differ, so that what is left is found by one or the other; every third asks for a single code. */
const sizes = [1, 40, 7, 1, 120, 3, 1, 500, 11];

async function create({ path, ...who }: Caller, index: number): Promise<Answer & Made> {
  const size = sizes[index % sizes.length]!;
  const sentMs = performance.now();
  const answer =
    size === 1
      ? await ask({ method: 'POST', url: `${serverFor(index)}${path}`, ...who, body: menu })
      : await ask({
          method: 'POST',
          url: `${serverFor(index)}${path}/bulk`,
          ...who,
          body: { items: Array(size).fill(menu) },
        });
  const made = answer.status === 201 ? 1 : answer.status === 200 ? answer.body.created : 0;
  return { ...answer, sentMs, answeredMs: performance.now(), made };
}

/** Six at once, on both processes, for as long as the run takes. */
async function hammer(caller: Caller): Promise<(Answer & Made)[]> {
  const answers: (Answer & Made)[] = [];
  const end = performance.now() + hammerMs;
  let next = 0;
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      while (performance.now() < end) answers.push(await create(caller, next++));
    }),
  );
  return answers;
}

/** Somebody signed in on the free plan: the cookie, and the account. */
async function person(): Promise<{ headers: Record<string, string>; accountId: string }> {
  const origin = { origin: publicUrl };
  const body = { name: 'Somebody', email: newEmail(), password: goodPassword };
  const signedUp = await ask({ method: 'POST', url: `${serverFor(0)}/auth/sign-up`, headers: origin, body });
  const set = ([] as string[]).concat(signedUp.headers['set-cookie'] ?? []);
  const headers = { ...origin, cookie: set.map(cookie => cookie.split(';')[0]).join('; ') };
  const me = await ask({ url: `${serverFor(1)}/account/me`, headers });
  return { headers, accountId: parseId('acct', me.body.account.id)! };
}

const countOf = async (accountId: string, mode: string) => {
  const [row] = await world.db.query<{ count: number }>(
    sql(
      'count-codes',
      `select count(*) from qr_codes where account_id = $1 and mode = $2 and status <> 'deleted'`,
    ),
    [accountId, mode],
  );
  return row!.count;
};

/** The most that calls which lie wholly within some window have made: no more than was let through in it. */
function mostInAWindow(answers: readonly Made[]): number {
  const made = answers.filter(answer => answer.made > 0);
  const inWindow = (from: number) =>
    made
      .filter(one => one.sentMs >= from && one.answeredMs <= from + windowMs)
      .reduce((sum, one) => sum + one.made, 0);
  return Math.max(0, ...made.map(one => inWindow(one.sentMs)));
}

const codesOf = (answers: readonly Answer[]) => {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const kind = body.error ? `${status} ${body.error.code}` : `${status}`;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
};

test('however hard sessions and test keys try on two processes, no cap is passed and no minute sees too many', async () => {
  const { headers, accountId } = await person();
  const live = { path: '/account/v1/qrcodes', headers };
  const capped = await world.account('capped');
  const free = await world.account('free');

  const most = { session: 0, capped: 0 };
  let running = true;
  const watch = async () => {
    while (running) {
      most.session = Math.max(most.session, await countOf(accountId, 'live'));
      most.capped = Math.max(most.capped, await countOf(capped.id, 'test'));
    }
  };
  const watching = watch();
  const [bySession, byCapped, byFree] = await Promise.all([
    hammer(live),
    hammer({ path: '/v1/qrcodes', key: capped.test }),
    hammer({ path: '/v1/qrcodes', key: free.test }),
  ]);
  running = false;
  await watching;

  const minute = mostInAWindow(byFree);
  const summary = { session: codesOf(bySession), capped: codesOf(byCapped), free: codesOf(byFree) };
  console.log(
    `shares-creation: ${hammerMs / 1000} s, two processes; session ${most.session} of 100, ` +
      `test codes ${most.capped} of ${testCap}, most in a minute ${minute} of 500; ${JSON.stringify(summary)}`,
  );

  expect(most.session).toBe(100);
  expect(await countOf(accountId, 'live')).toBe(100);
  expect(most.capped).toBe(testCap);
  expect(await countOf(capped.id, 'test')).toBe(testCap);
  expect(minute).toBeLessThanOrEqual(500);
  // The limit was reached, or the run would have shown nothing.
  expect(minute).toBeGreaterThan(490);
  expect(await countOf(free.id, 'test')).toBe(byFree.reduce((sum, one) => sum + one.made, 0));

  expect(Object.keys(summary.session).sort()).toEqual(
    expect.arrayContaining(['200', '201', '403 quota_exceeded']),
  );
  expect(summary.capped['403 forbidden']).toBeGreaterThan(0);
  expect(summary.capped).not.toHaveProperty('403 quota_exceeded');
  expect(summary.free['429 rate_limit_exceeded']).toBeGreaterThan(0);
  for (const counts of Object.values(summary)) {
    for (const kind of Object.keys(counts)) expect(kind).toMatch(/^(200|201|403 .*|429 .*)$/);
  }

  // Whatever sessions made, the API has its own hundred.
  const keys = await ask({
    method: 'POST',
    url: `${serverFor(0)}/account/keys`,
    headers,
    body: { name: 'Live', mode: 'live', current_password: goodPassword },
  });
  const bulk = { method: 'POST', url: `${serverFor(1)}/v1/qrcodes/bulk`, key: keys.body.key };
  const byApi = await ask({ ...bulk, body: { items: Array(100).fill(menu) } });
  expect(byApi).toMatchObject({ status: 200, body: { created: 100 } });
  expect(await countOf(accountId, 'live')).toBe(200);
});
