import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '@signpost/testing/client.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { type AnswerWith, type Receiver, startReceiver } from '@signpost/testing/receiver.ts';
import type { TestServer } from '@signpost/testing/server.ts';
import { callerOf, createWebhookFixture, type WebhookFixture } from '@signpost/testing/webhook-fixture.ts';
import { formatId, parseId } from '../../apps/server/src/kernel/ids.ts';
import { type Database, sql } from '../../apps/server/src/platform/postgres/postgres.ts';
import { messageId } from '../../apps/server/src/webhooks/event.ts';
import { readSuspensions, suspendCodes, toldOf } from './suspensions.ts';

/** How much is sent, and what is killed meanwhile. */
export type Plan = {
  readonly scans: number;
  readonly endpoints: number;
  /** Codes that are suspended meanwhile. A tenth more endpoints, at least one, subscribe to that and not to scans. */
  readonly suspensions: number;
  /** Processes of the role deliver. */
  readonly dispatchers: number;
  readonly dispatcherKills: number;
  /** Of NATS and of PostgreSQL each. */
  readonly engineKills: number;
  /** The time for the last deliveries after the last kill. */
  readonly settleMs: number;
};

export type Figures = {
  /** Expected deliveries of scans. */
  readonly scanDeliveries: number;
  /** Expected deliveries of suspensions. */
  readonly suspensionDeliveries: number;
  readonly arrived: number;
  readonly duplicates: number;
  readonly lost: number;
  /** Arrivals under another id than that of their event and endpoint, or with another body than before. */
  readonly mismatched: number;
  /** Deliveries that the log does not show as delivered. */
  readonly unlogged: number;
  readonly kills: number;
  readonly engineKills: number;
};

/**
 * Scans and suspensions under kill -9 of deliver, NATS and PostgreSQL: every scan that was answered and every suspension
 * that was committed arrives at least once at every endpoint that subscribes to it, always under the same id, and the log
 * shows it.
 */
export async function proveNoLoss(plan: Plan, print: (line: string) => void): Promise<Figures> {
  const fixture = await createWebhookFixture({ ownPostgres: true, env: { LOG_LEVEL: 'warn' } });
  const receiver = await startReceiver(refuseSomeOnce());
  try {
    const api = await fixture.server({}, 'api');
    const edge = await fixture.server({}, 'redirect');
    await fixture.server({}, 'ingest');
    const dispatchers: TestServer[] = [];
    for (let n = 0; n < plan.dispatchers; n++) dispatchers.push(await fixture.server({}, 'deliver'));
    const account = await fixture.account();
    const calls = callerOf(api.url, account.live);
    const endpoints: string[] = [];
    for (let n = 0; n < plan.endpoints; n++) endpoints.push((await calls.webhook(`${receiver.url}/${n}`)).id);
    const suspensionEndpoints: string[] = [];
    for (let n = 0; n < Math.ceil(plan.endpoints / 10); n++) {
      const webhook = { url: `${receiver.url}/stopped-${n}`, events: ['qrcode.suspended'] };
      suspensionEndpoints.push((await calls.post('/v1/webhooks', webhook)).body.id);
    }
    const { short_code: code } = await calls.code();

    const state = { answeredScans: 0, kills: 0, engineKills: 0, isKilling: true };
    const [, answeredScans, answeredSuspensions] = await Promise.all([
      killProcesses(fixture, dispatchers, plan, state, print),
      sendScans(`${edge.url}/${code}`, plan.scans, state),
      suspendCodes(fixture.db, account.id, plan.suspensions, () => state.isKilling),
    ]);
    print(
      `${answeredScans} scans and ${answeredSuspensions} suspensions answered, ${receiver.arrivals.length} arrived so far; waiting for the rest`,
    );
    return await settle(fixture, receiver, {
      answeredScans,
      answeredSuspensions,
      endpoints,
      suspensionEndpoints,
      plan,
      state,
    });
  } finally {
    await receiver.close();
    await fixture.remove();
  }
}

/** Answers after up to 20 ms, and refuses one event in thirty the first time. */
function refuseSomeOnce(): AnswerWith {
  const refused = new Set<string>();
  return (arrival, response) => {
    const isRefused = !refused.has(arrival.id) && arrival.id.charCodeAt(28) % 31 === 0;
    if (isRefused) refused.add(arrival.id);
    setTimeout(() => response.writeHead(isRefused ? 503 : 200).end(), Math.random() * 20);
  };
}

type State = { answeredScans: number; kills: number; engineKills: number; isKilling: boolean };

/** Scans and suspensions wait for the last kill, so kills are spread over all of them. */
async function killProcesses(
  fixture: WebhookFixture,
  dispatchers: readonly TestServer[],
  plan: Plan,
  state: State,
  print: (line: string) => void,
) {
  const engines = [fixture.nats, fixture.postgres!];
  for (let n = 0; n < plan.dispatcherKills; n++) {
    const target = dispatchers[n % dispatchers.length]!;
    await target.end('SIGKILL');
    state.kills++;
    if (
      n % Math.ceil(plan.dispatcherKills / (2 * plan.engineKills)) === 0 &&
      state.engineKills < 2 * plan.engineKills
    ) {
      const engine = engines[state.engineKills++ % 2]!;
      await engine.kill('SIGKILL');
      await sleep(Math.random() * 1000);
      await engine.start();
    }
    await waitUntil('the process starts', () => target.start().then(() => true), { timeoutMs: 180_000 });
    await sleep(Math.random() * 1500);
    print(`killed ${state.kills} of ${plan.dispatcherKills}, ${state.answeredScans} scans answered`);
  }
  state.isKilling = false;
}

/** Slowly while processes are killed, so that the last kill still hits some deliveries. */
async function sendScans(url: string, count: number, state: State): Promise<number> {
  while (state.answeredScans < count) {
    const isPaused = state.isKilling && state.answeredScans >= count * 0.95;
    if (!isPaused) {
      const headers = { 'user-agent': `Mozilla/5.0 (iPhone; ${state.answeredScans}) Safari` };
      const { status } = await ask({ url, headers }).catch(() => ({ status: 0 }));
      if (status === 302) state.answeredScans++;
    }
    await sleep(state.isKilling ? 100 : 5);
  }
  return state.answeredScans;
}

type Expected = {
  readonly answeredScans: number;
  readonly answeredSuspensions: number;
  readonly endpoints: readonly string[];
  readonly suspensionEndpoints: readonly string[];
  readonly plan: Plan;
  readonly state: State;
};

async function settle(fixture: WebhookFixture, receiver: Receiver, expected: Expected): Promise<Figures> {
  const { answeredScans, answeredSuspensions, endpoints, suspensionEndpoints, plan, state } = expected;
  let wanted = new Map<string, string>();
  let wantedSuspensions = new Map<string, string>();
  let [lost, unlogged] = [Number.NaN, Number.NaN];
  await waitUntil(
    'everything has arrived and is in the log',
    async () => {
      const scans = await fixture.db.query<{ id: string }>(storedIds);
      const suspended = await readSuspensions(fixture.db);
      if (scans.length < answeredScans || suspended.length < answeredSuspensions) return false;
      wantedSuspensions = toldOf(suspended, suspensionEndpoints);
      wanted = new Map([
        ...wantedSuspensions,
        ...scans.flatMap(scan =>
          endpoints.map((endpoint, n) => {
            const id = messageId(scan.id, parseId('whk', endpoint)!);
            return [formatId('msg', id), `/${n} ${formatId('scan', scan.id)}`] as const;
          }),
        ),
      ]);
      const seen = new Set(receiver.arrivals.map(({ id }) => id));
      lost = [...wanted.keys()].filter(id => !seen.has(id)).length;
      unlogged = wanted.size - (await deliveredInLog(fixture.db, wanted));
      const [open] = await fixture.db.query<{ open: number }>({ name: 'chaos-open', text: openText });
      return lost === 0 && unlogged === 0 && open?.open === 0;
    },
    { timeoutMs: plan.settleMs, everyMs: 1000 },
  ).catch(() => undefined);
  const bodies = new Map<string, string>();
  let mismatched = 0;
  for (const { id, path, body } of receiver.arrivals) {
    const first = bodies.get(id) ?? body;
    bodies.set(id, first);
    const { data } = JSON.parse(body);
    if (wanted.get(id) !== `${path} ${data.scan_id ?? data.qr_id}` || body !== first) mismatched++;
  }
  const { kills, engineKills } = state;
  const arrived = receiver.arrivals.length;
  return {
    scanDeliveries: wanted.size - wantedSuspensions.size,
    suspensionDeliveries: wantedSuspensions.size,
    arrived,
    duplicates: arrived - bodies.size,
    lost,
    mismatched,
    unlogged,
    kills,
    engineKills,
  };
}

const storedIds = sql('chaos-stored-ids', 'select id from scans');

const openText = `select count(*) as open from webhook_messages where status = 'pending'`;

async function deliveredInLog(db: Database, wanted: ReadonlyMap<string, string>): Promise<number> {
  const text = `select distinct message_id as id from webhook_attempts where status = 'delivered'`;
  const rows = await db.query<{ id: string }>({ name: 'chaos-delivered', text });
  return rows.filter(({ id }) => wanted.has(formatId('msg', id))).length;
}
