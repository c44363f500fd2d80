import { once } from 'node:events';
import { createTestApi, type TestApi } from '@signpost/testing/api.ts';
import { redisUrl } from '@signpost/testing/database.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { EventReader } from '@signpost/testing/events.ts';
import { createMemoryLog, type MemoryLog } from '@signpost/testing/file-scan-log.ts';
import { type Browser, dashboardEnv, signUp } from '@signpost/testing/people.ts';
import { batchOf, type Code, scanOf } from '@signpost/testing/scan-ledger.ts';
import { openTestStore, type TestStore } from '@signpost/testing/test-store.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createIngest } from '../../ingest/service.ts';
import { formatId, parseId } from '../../kernel/ids.ts';
import { sql } from '../../platform/postgres/postgres.ts';
import { createRedis } from '../../platform/redis/redis.ts';
import { markUsedUp } from '../../qrcodes/targets/used-up.ts';
import type { Scan } from '../../scans/scan.ts';

let store: TestStore;
let api: TestApi;
let url: string;
let log: MemoryLog;

const quiet = { info() {}, warn() {}, error() {} };

beforeAll(async () => {
  store = await openTestStore();
  api = await createTestApi({
    ...dashboardEnv,
    ...store.env,
    // A slow machine must not look like a lost Redis: without Redis the process would count its own queries only.
    REDIS_TIMEOUT_MS: '5000',
  });
  url = await api.api.app.listen({ host: '127.0.0.1', port: 0 });
  log = createMemoryLog();
  return startIngest(0, log);
});
function startIngest(shard: number, from: MemoryLog): () => Promise<void> {
  const limits = { groupMs: 10 };
  const ingest = createIngest({
    markUsedUp,
    db: api.api.db,
    rows: store.rows(api.api.db),
    log: from,
    shard,
    logger: quiet,
    limits,
  });
  ingest.start();
  return () => ingest.stop();
}
afterAll(async () => {
  await api.close();
  await store.close();
});

async function makeCode(browser: Browser): Promise<Code> {
  const me = await browser.call({ url: '/account/me' });
  const made = await browser.call({
    method: 'POST',
    url: '/account/v1/qrcodes',
    body: { name: 'Code', destination_url: 'https://example.com' },
  });
  return { id: parseId('qr', made.body.id)!, accountId: parseId('acct', me.body.account.id)! };
}

async function look(browser: Browser, query = '', lastId?: string): Promise<EventReader> {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const reader = await EventReader.open(`${url}/account/live?${query}`, {
    cookie,
    ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
  });
  onTestFinished(() => reader.close());
  if (reader.response.status === 200) await waitUntil('it is ready', () => reader.events.length > 0);
  return reader;
}

const shown = ({ events }: EventReader) =>
  events.filter(({ event }) => event === 'scan').map(({ data }) => (data as { id: string }).id);
const idOf = ({ id }: Scan) => formatId('scan', id);

const lastPosition = sql(
  'test-stored',
  'select position from ingest_positions where shard = 0 and not exists (select from ingest_groups)',
);
async function stored(position: number): Promise<void> {
  await waitUntil('ingest has stored', async () => {
    const [row] = await api.api.db.query<{ position: number }>(lastPosition);
    return row !== undefined && row.position >= position;
  });
}

test('a new scan is sent to its owner within seconds, and to no other account', async () => {
  const [owner, other] = [await signUp(api), await signUp(api)];
  const code = await makeCode(owner);
  const [here, there, inTest] = [await look(owner), await look(other), await look(owner, 'mode=test')];
  expect(here.response.headers.get('content-type')).toContain('text/event-stream');
  const scan = scanOf(code, 1, { country: 'DE', city: 'München' });
  log.append(batchOf(scan));
  await waitUntil('the scan is shown', () => shown(here).length > 0);
  expect(here.events.at(-1)!.data).toEqual({
    id: idOf(scan),
    qr_id: formatId('qr', code.id),
    timestamp: new Date(scan.atMs).toISOString(),
    country: 'DE',
    region: scan.region,
    city: 'München',
    device: scan.device,
    browser: scan.browser,
    is_unique: true,
    language: scan.language,
    target_id: '',
    rule_id: '',
    placement: '',
  });
  const second = scanOf(code, 2);
  log.append(batchOf(second));
  await waitUntil('the next is shown', () => shown(here).length > 1);
  expect(shown(here)).toEqual([idOf(scan), idOf(second)]);
  expect([...shown(there), ...shown(inTest)]).toEqual([]);
});

test('a viewer that reconnects sees each scan once, also those that were late by months', async () => {
  const owner = await signUp(api);
  const code = await makeCode(owner);
  const scans: Scan[] = [];
  const add = (count: number) => {
    const fresh = Array.from({ length: count }, (_, n) =>
      // Some are of another month, like scans from a spool: they go to another partition of the table.
      scanOf(code, scans.length + n, n % 3 === 0 ? { atMs: Date.UTC(2026, n % 9), window: '2026-06' } : {}),
    );
    scans.push(...fresh);
    return log.append(...fresh.map(scan => batchOf(scan)));
  };
  const seen: string[] = [];
  let lastId: string | undefined;
  for (let visit = 0; visit < 4; visit++) {
    const reader = await look(owner, '', lastId);
    await stored(add(20));
    await waitUntil('some are shown', () => shown(reader).length >= 5);
    reader.close();
    seen.push(...shown(reader));
    lastId = reader.lastId;
    await stored(add(7));
  }
  const last = await look(owner, '', lastId);
  await waitUntil('all are shown', () => seen.length + shown(last).length >= scans.length);
  expect([...seen, ...shown(last)].sort()).toEqual(scans.map(idOf).sort());
});

test('an account that is spread over two shards is viewed whole, each scan once', async () => {
  const owner = await signUp(api);
  const code = await makeCode(owner);
  const other = createMemoryLog();
  onTestFinished(startIngest(1, other));
  const scans = Array.from({ length: 2_400 }, (_, n) => scanOf(code, n));
  const [few, many] = [scans.slice(0, 400), scans.slice(400)];
  const before = await look(owner);
  const lastId = before.lastId;
  log.append(batchOf(...few));
  for (let at = 0; at < many.length; at += 200) other.append(batchOf(...many.slice(at, at + 200)));
  const all = scans.map(idOf).sort();
  await waitUntil('all are shown', () => shown(before).length >= scans.length);
  expect(shown(before).sort()).toEqual(all);
  // One that was away gets the same.
  const after = await look(owner, '', lastId);
  await waitUntil('all are shown again', () => shown(after).length >= scans.length);
  expect(shown(after).sort()).toEqual(all);
});

test('a group that ingest is still storing is not sent in part', async () => {
  const owner = await signUp(api);
  const code = await makeCode(owner);
  const reader = await look(owner);
  // A group of another shard is being stored: its second row is there, its first is not yet.
  const shard = 7;
  const position = (n: number) =>
    sql(
      `test-position-${n}`,
      `insert into ingest_positions (shard, position) values (${shard}, ${n})
                               on conflict (shard) do update set position = ${n}`,
    );
  const open = sql(
    'test-open-group',
    `insert into ingest_groups (shard, after_position, to_position, classifications, numbers, entries)
     values (${shard}, 0, 2, '', '', '')`,
  );
  const [first, second] = [scanOf(code, 1), scanOf(code, 2)];
  const insert = (scan: Scan, entry: number) => store.insert(api.api.db, scan, { shard, position: entry });
  await api.api.db.query(position(0));
  await api.api.db.transaction(async tx => {
    await tx.query(position(2));
    await tx.query(open);
  });
  await insert(second, 2);
  // A later scan proves that a poll has passed over it.
  const witness = scanOf(code, 3);
  log.append(batchOf(witness));
  await waitUntil('the witness is shown', () => shown(reader).length > 0);
  expect(shown(reader)).toEqual([idOf(witness)]);
  await insert(first, 1);
  await api.api.db.query(sql('test-close-group', `delete from ingest_groups where shard = ${shard}`));
  await waitUntil('both are shown', () => shown(reader).length === 3);
  expect(shown(reader)).toEqual([witness, first, second].map(idOf));
});

test('a single code can be viewed, and a code of another account is not found', async () => {
  const [owner, other] = [await signUp(api), await signUp(api)];
  const [code, beside] = [await makeCode(owner), await makeCode(owner)];
  const reader = await look(owner, `qr_id=${formatId('qr', code.id)}`);
  const [mine, notMine, last] = [scanOf(code, 1), scanOf(beside, 2), scanOf(code, 3)];
  log.append(batchOf(mine, notMine, last));
  await waitUntil('both are shown', () => shown(reader).length === 2);
  expect(shown(reader)).toEqual([idOf(mine), idOf(last)]);
  expect((await look(other, `qr_id=${formatId('qr', code.id)}`)).response.status).toBe(404);
});

test('a viewer that reconnects while the account is busy waits for its turn, leaves the queue when it disconnects, and logs nothing', async () => {
  const owner = await signUp(api);
  const code = await makeCode(owner);
  const first = await look(owner);
  const lastId = first.lastId;
  await stored(log.append(batchOf(scanOf(code, 1))));
  await waitUntil('the scan is shown', () => shown(first).length === 1);

  const redis = createRedis({ redisUrl, redisTimeoutMs: 10_000 }, () => {});
  onTestFinished(() => redis.disconnect());
  await once(redis, 'ready');
  const taken = ['a', 'b', 'c', 'd'].flatMap(place => [Date.now() + 60_000, place]);
  const key = `signpost:{${code.accountId}}:queries`;
  await redis.zadd(key, ...taken);
  await redis.expire(key, 60);

  const leaver = await look(owner, '', lastId);
  await waitUntil('it waits', async () => (await waiting()) === 1);
  const start = performance.now();
  leaver.close();
  await waitUntil('no query waits', async () => (await waiting()) === 0);
  expect(performance.now() - start).toBeLessThan(4000);

  const stayer = await look(owner, '', lastId);
  await waitUntil('its stream has ended', () => stayer.ended, { timeoutMs: 30_000 });
  expect(api.log.join('')).not.toContain('live scans not read');
});

async function waiting(): Promise<number> {
  const text = await api.api.metrics.registry.getSingleMetricAsString('signpost_share_waiting');
  return Number(/kind="queries".* (\d+)$/m.exec(text)?.[1] ?? 0);
}

test('a view ends within seconds of its session', async () => {
  const owner = await signUp(api);
  const reader = await look(owner);
  await owner.call({ method: 'POST', url: '/auth/sign-out' });
  await waitUntil('the stream has ended', () => reader.ended, { timeoutMs: 5000 });
});

test('a view ends within a second of the removal of its viewer from the account, and no other view does', async () => {
  const [owner, colleague] = [await signUp(api), await signUp(api)];
  const account = (await owner.call({ url: '/account/me' })).body.account.id as string;
  await api.admin('create-user', colleague.email, '--account', account, '--role', 'viewer', '--unconfirmed');
  const own = (await colleague.call({ url: '/account/accounts' })).body.data[0].id;
  const here = await look(colleague, `account=${account}`);
  const [elsewhere, owners] = [await look(colleague, `account=${own}`), await look(owner)];
  const { data } = (await owner.call({ url: '/account/members' })).body;
  const { id } = data.find((member: { is_you: boolean }) => !member.is_you);
  expect((await owner.call({ method: 'DELETE', url: `/account/members/${id}` })).status).toBe(200);
  const removedAt = performance.now();
  await waitUntil('the stream has ended', () => here.ended, { timeoutMs: 5000 });
  expect(performance.now() - removedAt).toBeLessThan(1000);
  expect([elsewhere.ended, owners.ended]).toEqual([false, false]);
  expect((await look(colleague, `account=${account}`)).response.status).toBe(404);
});

test('a view needs a session, and a user has at most ten over all accounts', async () => {
  expect((await EventReader.open(`${url}/account/live`, {})).response.status).toBe(401);
  const owner = await signUp(api);
  const first = (await owner.call({ url: '/account/me' })).body.account.id;
  const created = await owner.call({ method: 'POST', url: '/account/accounts', body: { name: 'Second' } });
  const ids = [first, created.body.id];
  for (let n = 0; n < 10; n++) await look(owner, `account=${ids[n % 2]}`);
  for (const id of ids) expect((await look(owner, `account=${id}`)).response.status).toBe(429);
});
