import { setTimeout as sleep } from 'node:timers/promises';
import { formatId, parseId } from '../../apps/server/src/kernel/ids.ts';
import { type ClickHouse, createClickHouse } from '../../apps/server/src/platform/clickhouse.ts';
import { messageId } from '../../apps/server/src/webhooks/event.ts';
import { waitUntil } from '../../tools/engines/wait.ts';
import { ask } from '../support/client.ts';
import { type Arrival, type Receiver, startReceiver } from '../support/receiver.ts';
import type { TestServer } from '../support/server.ts';
import { callerOf, createWebhookWorld, type WebhookWorld } from '../support/webhook-world.ts';
import { readSuspensions, suspendCodes, toldOf } from './suspensions.ts';

/** How much is sent, and what dies meanwhile. */
export type Plan = {
  readonly scans: number;
  readonly endpoints: number;
  /** Codes that are stopped meanwhile; a tenth of the endpoints, at least one, hears of them and of no scan. */
  readonly suspensions: number;
  readonly delivers: number;
  readonly deliverKills: number;
  /** NATS and PostgreSQL, each so often. */
  readonly engineKills: number;
  readonly settleMs: number;
};

export type Figures = {
  /** Of scans. */
  readonly deliveries: number;
  /** Deliveries about codes that were stopped. */
  readonly told: number;
  readonly arrived: number;
  readonly duplicates: number;
  readonly lost: number;
  /** Under an id that is not the one of event and endpoint, or with another body than before. */
  readonly strange: number;
  /** Deliveries that the log does not show as delivered. */
  readonly unlogged: number;
  readonly kills: number;
  readonly engineKills: number;
};

/**
 * Scans and suspensions under kill -9 of whoever delivers, of NATS and of PostgreSQL: every scan that was answered, and every
 * suspension that was committed, arrives at every endpoint that names it at least once, each time under the same id, and the
 * log shows it.
 */
export async function proveNoLoss(plan: Plan, say: (line: string) => void): Promise<Figures> {
  const world = await createWebhookWorld({ ownPostgres: true, env: { LOG_LEVEL: 'warn' } });
  const receiver = await startReceiver(moody());
  const clickhouse = await createClickHouse(world.clickhouse.url);
  try {
    const api = await world.server({}, 'api');
    const edge = await world.server({}, 'redirect');
    await world.server({}, 'ingest');
    const delivers: TestServer[] = [];
    for (let n = 0; n < plan.delivers; n++) delivers.push(await world.server({}, 'deliver'));
    const account = await world.account();
    const calls = callerOf(api.url, account.live);
    const endpoints: string[] = [];
    for (let n = 0; n < plan.endpoints; n++) endpoints.push((await calls.webhook(`${receiver.url}/${n}`)).id);
    const listeners: string[] = [];
    for (let n = 0; n < Math.ceil(plan.endpoints / 10); n++) {
      const named = { url: `${receiver.url}/stopped-${n}`, events: ['qrcode.suspended'] };
      listeners.push((await calls.post('/v1/webhooks', named)).body.id);
    }
    const { short_code: code } = await calls.code();

    const state = { accepted: 0, kills: 0, engineKills: 0, isKilling: true };
    const [, accepted, answered] = await Promise.all([
      kill(world, delivers, plan, state, say),
      sendScans(`${edge.url}/${code}`, plan.scans, state),
      suspendCodes(world.db, account.id, plan.suspensions, () => state.isKilling),
    ]);
    say(
      `${accepted} scans answered, ${answered} suspensions, ${receiver.arrivals.length} arrived so far; settling`,
    );
    return await settle(world, receiver, clickhouse, {
      accepted,
      answered,
      endpoints,
      listeners,
      plan,
      state,
    });
  } finally {
    await clickhouse.close();
    await receiver.close();
    await world.remove();
  }
}

/** Takes a moment, and refuses one event in thirty the first time. */
function moody() {
  const refused = new Set<string>();
  return (arrival: Arrival, response: Parameters<Parameters<typeof startReceiver>[0] & object>[1]) => {
    const isRefused = !refused.has(arrival.id) && arrival.id.charCodeAt(28) % 31 === 0;
    if (isRefused) refused.add(arrival.id);
    setTimeout(() => response.writeHead(isRefused ? 503 : 200).end(), Math.random() * 20);
  };
}

type State = { accepted: number; kills: number; engineKills: number; isKilling: boolean };

/** Kills are spread evenly over the scans, whatever pace they have. */
async function kill(
  world: WebhookWorld,
  delivers: readonly TestServer[],
  plan: Plan,
  state: State,
  say: (line: string) => void,
) {
  const engines = [world.nats, world.postgres!];
  for (let n = 0; n < plan.deliverKills; n++) {
    const victim = delivers[n % delivers.length]!;
    await victim.end('SIGKILL');
    state.kills++;
    if (
      n % Math.ceil(plan.deliverKills / (2 * plan.engineKills)) === 0 &&
      state.engineKills < 2 * plan.engineKills
    ) {
      const engine = engines[state.engineKills++ % 2]!;
      await engine.kill('SIGKILL');
      await sleep(Math.random() * 1000);
      await engine.start();
    }
    await waitUntil('it starts', () => victim.start().then(() => true), { timeoutMs: 180_000 });
    await sleep(Math.random() * 1500);
    say(`killed ${state.kills} of ${plan.deliverKills}, ${state.accepted} scans answered`);
  }
  state.isKilling = false;
}

/** Slowly while there is killing to be done, so that the last kill still meets some. */
async function sendScans(url: string, count: number, state: State): Promise<number> {
  while (state.accepted < count) {
    const isHeldBack = state.isKilling && state.accepted >= count * 0.95;
    if (!isHeldBack) {
      const headers = { 'user-agent': `Mozilla/5.0 (iPhone; ${state.accepted}) Safari` };
      const { status } = await ask({ url, headers }).catch(() => ({ status: 0 }));
      if (status === 302) state.accepted++;
    }
    await sleep(state.isKilling ? 100 : 5);
  }
  return state.accepted;
}

type Expected = {
  readonly accepted: number;
  readonly answered: number;
  readonly endpoints: readonly string[];
  readonly listeners: readonly string[];
  readonly plan: Plan;
  readonly state: State;
};

async function settle(
  world: WebhookWorld,
  receiver: Receiver,
  clickhouse: ClickHouse,
  expected: Expected,
): Promise<Figures> {
  const { accepted, answered, endpoints, listeners, plan, state } = expected;
  let wanted = new Map<string, string>();
  let told = new Map<string, string>();
  let [lost, unlogged] = [Number.NaN, Number.NaN];
  await waitUntil(
    'all has arrived and is in the log',
    async () => {
      const scans = await clickhouse.query<{ id: string }>('select toString(id) as id from scans');
      const suspended = await readSuspensions(world.db);
      if (scans.length < accepted || suspended.length < answered) return false;
      told = toldOf(suspended, listeners);
      wanted = new Map([
        ...told,
        ...scans.flatMap(scan =>
          endpoints.map((endpoint, n) => {
            const id = messageId(scan.id, parseId('whk', endpoint)!);
            return [formatId('msg', id), `/${n} ${formatId('scan', scan.id)}`] as const;
          }),
        ),
      ]);
      const seen = new Set(receiver.arrivals.map(({ id }) => id));
      lost = [...wanted.keys()].filter(id => !seen.has(id)).length;
      unlogged = wanted.size - (await deliveredInLog(clickhouse, wanted));
      const [open] = await world.db.query<{ open: number }>({ name: 'chaos-open', text: openText });
      return lost === 0 && unlogged === 0 && open?.open === 0;
    },
    { timeoutMs: plan.settleMs, everyMs: 1000 },
  ).catch(() => undefined);
  const bodies = new Map<string, string>();
  let strange = 0;
  for (const { id, path, body } of receiver.arrivals) {
    const first = bodies.get(id) ?? body;
    bodies.set(id, first);
    const { data } = JSON.parse(body);
    if (wanted.get(id) !== `${path} ${data.scan_id ?? data.qr_id}` || body !== first) strange++;
  }
  const { kills, engineKills } = state;
  const arrived = receiver.arrivals.length;
  return {
    deliveries: wanted.size - told.size,
    told: told.size,
    arrived,
    duplicates: arrived - bodies.size,
    lost,
    strange,
    unlogged,
    kills,
    engineKills,
  };
}

const openText = `select (select count(*) from webhook_messages where status = 'pending') + (select count(*) from webhook_attempts) as open`;

async function deliveredInLog(clickhouse: ClickHouse, wanted: ReadonlyMap<string, string>): Promise<number> {
  const rows = await clickhouse.query<{ id: string }>(
    `select toString(message_id) as id from webhook_attempts group by message_id having countIf(status = 'delivered') > 0`,
  );
  return rows.filter(({ id }) => wanted.has(formatId('msg', id))).length;
}
