import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import { ask } from '@signpost/testing/client.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { EventReader } from '@signpost/testing/events.ts';
import {
  type Browser,
  createBrowser,
  dashboardEnv,
  goodPassword,
  newEmail,
} from '@signpost/testing/people.ts';
import { type Receiver, startReceiver } from '@signpost/testing/receiver.ts';
import { countedIn, storedIn } from '@signpost/testing/scan-ledger.ts';
import { runCommand, type TestServer } from '@signpost/testing/server.ts';
import { createWebhookFixture, type WebhookFixture } from '@signpost/testing/webhook-fixture.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId, type Uuid } from '../../apps/server/src/kernel/ids.ts';
import { createNats, type Nats } from '../../apps/server/src/platform/nats/nats.ts';
import { sql } from '../../apps/server/src/platform/postgres/postgres.ts';
import { createScanLog, type ScanLog } from '../../apps/server/src/scans/log/scan-log.ts';
import { toStreamName } from '../../apps/server/src/scans/log/streams.ts';

const loadMs = ciScale(6_000, 1_500);
const quietScans = 30;

let world: WebhookFixture;
let nats: Nats;
let log: ScanLog;
let api: TestServer;
let edge: TestServer;
let ingest: TestServer;
let receiver: Receiver;
let owner: Browser;
let codes: readonly string[];
/** Connected from the beginning to the end, without a break. */
let steady: EventReader;
/** Disconnects and reconnects; it resumes after the id of the last event. */
let visitor: EventReader;
const seenByVisitor: string[] = [];
let answered = 0;
/** How many logs have been lost so far, which is the number of the current one. */
let lostLogs = 0;

beforeAll(async () => {
  world = await createWebhookFixture({ env: { ...dashboardEnv, DEFAULT_PLAN: 'enterprise' } });
  receiver = await startReceiver();
  [api, edge, ingest] = await Promise.all([
    world.server({}, 'api'),
    world.server({}, 'redirect'),
    // Short, so that a lock soon blocks it.
    world.server({ DATABASE_TIMEOUT_MS: '1500' }, 'ingest'),
  ]);
  await world.server({}, 'deliver');
  nats = createNats(world.nats.url);
  log = createScanLog({ nats });
  const publicUrl = 'http://localhost:8080';
  owner = createBrowser({
    config: { publicUrl },
    call: ({ url, ...rest }: { url: string }) => ask({ ...rest, url: api.url + url }),
  } as unknown as Parameters<typeof createBrowser>[0]);
  const person = { name: 'Somebody', email: newEmail(), password: goodPassword };
  await post('/auth/sign-up', person);
  const made = [];
  for (let n = 0; n < 3; n++)
    made.push(await post('/account/v1/qrcodes', { name: `${n}`, destination_url: 'https://example.com' }));
  codes = made.map(({ short_code }) => short_code);
  await post('/account/v1/webhooks', { url: `${receiver.url}/hook` });
  [steady, visitor] = [await look(), await look()];
});
afterAll(async () => {
  steady?.close();
  visitor?.close();
  await Promise.all([nats?.close(), receiver?.close()]);
  await world?.remove();
});

async function post(url: string, body: unknown) {
  const reply = await owner.call({ method: 'POST', url, body });
  expect(reply).toMatchObject({ status: 201 });
  return reply.body;
}

async function look(lastId?: string): Promise<EventReader> {
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { cookie, ...(lastId === undefined ? {} : { 'last-event-id': lastId }) };
  const reader = await EventReader.open(`${api.url}/account/live`, headers);
  await waitUntil('it is ready', () => reader.events.length > 0);
  return reader;
}

const shown = ({ events }: EventReader) =>
  events.filter(({ event }) => event === 'scan').map(({ data }) => (data as { id: string }).id);

function leave(): void {
  visitor.close();
  seenByVisitor.push(...shown(visitor));
}

async function comeBack(): Promise<void> {
  visitor = await look(visitor.lastId);
}

async function scan(n: number): Promise<void> {
  const headers = { 'user-agent': `Mozilla/5.0 (iPhone; CPU iPhone OS 18_${n % 9} like Mac OS X) Safari` };
  const { status } = await ask({ url: `${edge.url}/${codes[n % codes.length]}`, headers });
  expect(status).toBe(302);
  answered++;
}

async function scanSome(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await scan(n);
}

/** Scans continuously until it is stopped. */
function startLoad(): { stop(): Promise<void> } {
  let running = true;
  const loops = Array.from({ length: 3 }, async (_, n) => {
    for (let turn = n; running; turn++) {
      await scan(turn);
      await pause(5);
    }
  });
  return {
    async stop() {
      running = false;
      await Promise.all(loops);
    },
  };
}

type Standing = {
  readonly log: number;
  readonly position: number;
  readonly created: string;
  readonly open: number;
};
const standing = sql(
  'test-standing',
  `select p.log, p.position, l.created, (select count(*) from ingest_groups) as open
     from ingest_positions p join scan_logs l on l.shard = p.shard and l.number = p.log where p.shard = 0`,
);

/** Waits until everything in flight has arrived. */
async function settled(): Promise<void> {
  await waitUntil('spool and log are counted', async () => {
    const metrics = await (await fetch(edge.metricsUrl)).text();
    if (!/^signpost_spool_segments(\{.*\})? 0$/m.test(metrics)) return false;
    const { createdAt, lastPosition } = await log.readState(0);
    const [row] = await world.db.query<Standing>(standing);
    const isThrough = row?.created === createdAt && row.position === lastPosition && row.open === 0;
    return isThrough && row.log === lostLogs;
  });
}

const storedIds = async () => new Set((await world.db.query<{ id: Uuid }>(allIds)).map(({ id }) => id));

const allIds = sql('test-all-ids', 'select id from scans');

type ReplacedLog = { readonly number: number; readonly lost_entries: number; readonly counted_to: number };
const replacedLogs = sql(
  'test-replaced-logs',
  'select number, lost_entries, counted_to from scan_logs where replaced_at is not null order by number',
);

/** Counts, rows and ledger agree, except for scans that were only in the lost log. */
async function agree(onlyLost: number): Promise<void> {
  const [counted, stored] = [await countedIn(world.db), await storedIn(world.db)];
  expect(stored).toEqual({ tally: counted, duplicates: 0, faults: [] });
  const total = Object.values(counted).reduce((sum, one) => sum + one.total, 0);
  expect(total + onlyLost).toBe(answered);
}

/** Every live viewer has received every row, once. */
async function viewersAgree(): Promise<void> {
  const wanted = [...(await storedIds())].map(id => formatId('scan', id)).sort();
  await waitUntil(
    'all is shown',
    () =>
      shown(steady).length >= wanted.length && seenByVisitor.length + shown(visitor).length >= wanted.length,
  );
  expect(shown(steady).sort()).toEqual(wanted);
  expect([...seenByVisitor, ...shown(visitor)].sort()).toEqual(wanted);
}

/** Ids of scans, by the log entries that they were in. */
type Contents = readonly (readonly Uuid[])[];

/** Replaces a log in some way. Returns the contents of the lost log. */
type Way = { prepare(): Promise<void>; replace(): Promise<Contents> };

const storeOf = (dir: string) => join(dir, 'jetstream');

/** Kills NATS, moves its directory away, and starts it with another one, or with none. */
async function replaceStore(copy: string | null): Promise<Contents> {
  const { nats: engine } = world;
  lostLogs++;
  await engine.kill('SIGKILL');
  const aside = mkdtempSync(join(tmpdir(), 'signpost-lost-log-'));
  renameSync(storeOf(engine.dir), storeOf(aside));
  if (copy) cpSync(copy, storeOf(engine.dir), { recursive: true });
  await engine.start();
  return contentsIn(aside);
}

async function contentsIn(dir: string): Promise<Contents> {
  const engine = await startNats({ dir });
  const client = createNats(engine.url);
  const lost = createScanLog({ nats: client });
  await lost.ready(0, AbortSignal.timeout(20_000));
  const contents = await contentsOf(lost);
  await client.close();
  await engine.stop();
  rmSync(dir, { recursive: true });
  return contents;
}

async function contentsOf(one: ScanLog): Promise<Contents> {
  const { lastPosition } = await one.readState(0);
  const contents: Uuid[][] = [];
  if (lastPosition === 0) return contents;
  for await (const entry of one.read(0, 0, AbortSignal.timeout(60_000))) {
    if (entry.kind === 'batch') contents.push(entry.batch.scans.map(({ id }) => id));
    if (entry.position >= lastPosition) break;
  }
  return contents;
}

const emptied: Way = { prepare: async () => undefined, replace: () => replaceStore(null) };

const deleted: Way = {
  prepare: async () => undefined,
  async replace() {
    lostLogs++;
    // No appends while the test reads the contents; requests wait in the meantime.
    edge.kill('SIGSTOP');
    await pause(200);
    const contents = await contentsOf(log);
    await (await jetstreamManager(nats.connection()!)).streams.delete(toStreamName(0));
    edge.kill('SIGCONT');
    return contents;
  },
};

let copy = '';
const putBack: Way = {
  async prepare() {
    copy = mkdtempSync(join(tmpdir(), 'signpost-log-copy-'));
    await world.nats.stop();
    cpSync(storeOf(world.nats.dir), copy, { recursive: true });
    await world.nats.start();
    await scanSome(quietScans);
  },
  async replace() {
    const lost = await replaceStore(copy);
    rmSync(copy, { recursive: true });
    return lost;
  },
};

describe.each([
  ['NATS emptied', emptied],
  ['the stream deleted and made again', deleted],
  ['NATS put back to an older copy', putBack],
] as const)('%s', (name, way) => {
  test('with ingest caught up, nothing is lost, and every scan counts once', async () => {
    await scanSome(quietScans);
    await way.prepare();
    await settled();
    leave();
    await way.replace();
    await scanSome(quietScans);
    await settled();
    await comeBack();
    await agree(0);
    await viewersAgree();
    expect((await world.db.query<ReplacedLog>(replacedLogs)).at(-1)!.lost_entries).toBe(0);
  });

  test('under load, every scan counts once except those that were only in the lost log', async () => {
    const [before] = await world.db.query<Standing>(standing);
    await way.prepare();
    const load = startLoad();
    await pause(loadMs / 2);
    leave();
    // Behind by more than it has fetched, so that something is only in the log.
    ingest.kill('SIGSTOP');
    await pause(loadMs);
    const inLostLog = await way.replace();
    ingest.kill('SIGCONT');
    await pause(loadMs);
    await load.stop();
    await settled();
    await comeBack();
    const stored = await storedIds();
    const lostEntries = inLostLog.filter(ids => ids.some(id => !stored.has(id)));
    const onlyLost = lostEntries.flat().length;
    const [replaced] = (await world.db.query<ReplacedLog>(replacedLogs)).slice(-1);
    console.log(
      `log replaced (${name}): answered ${answered}, stored ${stored.size}, only in the lost log ${onlyLost} scans in ${lostEntries.length} entries, told ${replaced!.lost_entries}`,
    );
    expect(replaced!.number).toBe(before!.log);
    // An entry that a redirect resent without an ack is among the lost, although it was counted.
    expect(replaced!.lost_entries).toBeGreaterThanOrEqual(lostEntries.length);
    await agree(onlyLost);
    await viewersAgree();
    answered -= onlyLost;
  });
});

/** Blocks ingest from counting, but not from reading the log, by locking its position. Returns a function that ends this. */
async function holdUpIngest(): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: world.env.DATABASE_URL });
  await client.connect();
  await client.query('begin');
  await client.query('select from ingest_positions where shard = 0 for update');
  const interruptions = () => ingest.log().split('ingest interrupted').length;
  const before = interruptions();
  // It notices when it tries to count: from then on it waits for the lock before it reads anything.
  await scanSome(1);
  await waitUntil('ingest is held up', () => interruptions() > before);
  return () => client.end();
}

test('entries that were only in the lost log are reported by number: in the log, by the metric and by the doctor', async () => {
  await settled();
  const unlock = await holdUpIngest();
  await scanSome(60);
  const { lastPosition } = await log.readState(0);
  const reached = sql(
    'test-reached',
    'select max(reached) as reached from scan_logs where replaced_at is null',
  );
  await waitUntil('ingest has seen them all', async () => {
    const [row] = await world.db.query<{ reached: number }>(reached);
    return row?.reached === lastPosition;
  });
  const inLostLog = await replaceStore(null);
  await scanSome(10);
  await unlock();
  await settled();
  const stored = await storedIds();
  const onlyLost = inLostLog.flat().filter(id => !stored.has(id)).length;
  expect(onlyLost).toBe(61);
  await agree(onlyLost);
  await viewersAgree();
  const logs = await world.db.query<ReplacedLog>(replacedLogs);
  const { number, lost_entries } = logs.at(-1)!;
  // One scan after the other, so that each has its own entry.
  expect(lost_entries).toBe(onlyLost);
  const lines = ingest
    .log()
    .split('\n')
    .filter(line => line.includes('scan log replaced'));
  expect(lines).toHaveLength(logs.length);
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({ log: number + 1, lostEntries: onlyLost });
  const lostInAll = logs.reduce((sum, one) => sum + one.lost_entries, 0);
  await waitUntil('the metric tells it, with what was lost before on this day', async () =>
    new RegExp(`^signpost_ingest_log_lost_entries\\{.*shard="0".*\\} ${lostInAll}$`, 'm').test(
      await (await fetch(ingest.metricsUrl)).text(),
    ),
  );
  const { output } = await runCommand(['doctor'], world.env);
  expect(output).toContain(`${onlyLost} entries were lost`);
  answered -= onlyLost;
});

test('webhooks continue: the queue is created again, and a scan has one message id however often it is published', async () => {
  const before = receiver.arrivals.length;
  await scanSome(1);
  await waitUntil('its webhook arrives', () => receiver.arrivals.length > before);
  const idsOf = Map.groupBy(receiver.arrivals, ({ body }) => JSON.parse(body).data.scan_id as string);
  for (const arrivals of idsOf.values()) expect(new Set(arrivals.map(({ id }) => id)).size).toBe(1);
});
