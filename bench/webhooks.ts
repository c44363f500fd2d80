import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '@signpost/testing/client.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { p99, percentile } from '@signpost/testing/percentile.ts';
import { cpuMicrosOf } from '@signpost/testing/process-cpu.ts';
import { type Receiver, startReceiver } from '@signpost/testing/receiver.ts';
import {
  type Calls,
  callerOf,
  createWebhookFixture,
  type WebhookFixture,
} from '@signpost/testing/webhook-fixture.ts';
import { systemClock } from '../apps/server/src/kernel/clock.ts';
import { createIds, parseId } from '../apps/server/src/kernel/ids.ts';
import { createNats } from '../apps/server/src/platform/nats/nats.ts';
import { createQueue, type Queue } from '../apps/server/src/webhooks/delivery/queue/queue.ts';
import type { Message } from '../apps/server/src/webhooks/webhook.ts';
import { record } from './record.ts';

const [healthy, perSecond, seconds] = [50, 100, 30];
const [tarpitEvents, replayed] = [5_000, 10_000];
const burst = 5_000;
const [scansPerSecond, scanSeconds] = [200, 20];
const ids = createIds(systemClock);

/**
 * Isolation: 50 healthy endpoints at 100 events a second, alone, then with one that never answers and has 5,000 events
 * waiting, one that drips and one that resets, then with a replay of 10,000. Latency: from the response to a scan to the first
 * byte of its webhook, at 200 scans a second through the whole service.
 */
export default async function bench(args: readonly string[]): Promise<void> {
  const fixture = await createWebhookFixture({ env: { LOG_LEVEL: 'warn' } });
  const receiver = await startReceiver();
  const bad = await startBadPeers();
  const nats = createNats(fixture.env.NATS_URL!);
  const queue = createQueue(nats, { replicas: 1, maxMessages: 100_000, maxPerAccount: 10_000 });
  const api = await fixture.server({}, 'api');
  const deliver = await fixture.server({}, 'deliver');
  const account = await fixture.account();
  const calls = callerOf(api.url, account.live);
  const endpoints: string[] = [];
  for (let n = 0; n < healthy; n++) endpoints.push((await calls.webhook(`${receiver.url}/${n}`)).id);
  const [tarpit, drip, reset, again] = await Promise.all(
    [...bad.urls, `${receiver.url}/again`].map(async url => (await calls.webhook(url)).id),
  );
  // The bad ones have succeeded before: otherwise they would get ten attempts a minute and no concurrency.
  await fixture.db.query({ name: 'bench-prove', text: 'update webhook_endpoints set proven_at = now()' });
  const publish = (endpoint: string, count: number) => publishTo(queue, account.id, endpoint, count);

  await measure(queue, account.id, receiver, endpoints, 5);
  const alone = await measure(queue, account.id, receiver, endpoints, seconds);
  const cpuMicros = await measureCpu(deliver.pid, receiver, () => publish(endpoints[0]!, burst));
  console.log(`cpu of deliver ${cpuMicros.toFixed(0)} µs a delivery, in a burst of ${burst}`);
  await publish(tarpit!, tarpitEvents);
  await publish(drip!, 200);
  await publish(reset!, 200);
  const watch = watchPlaces(deliver.metricsUrl);
  const beside = await measure(queue, account.id, receiver, endpoints, seconds);
  const mostPlaces = await watch.stop();
  console.log(
    `isolation: alone p99 ${alone} ms, beside the bad p99 ${beside} ms, a bad one holds ${mostPlaces} of 100`,
  );

  await addFailed(fixture, account.id, again!, replayed);
  const replay = calls.post(`/v1/webhooks/${again}/replay`, { since: '2020-01-01T00:00:00Z' });
  const besideReplay = await measure(queue, account.id, receiver, endpoints, seconds);
  const { body } = await replay;
  const isAgain = () => receiver.arrivals.filter(({ path }) => path === '/again').length;
  await waitUntil('the replay has arrived', () => isAgain() >= replayed, { timeoutMs: 180_000 });
  console.log(`replay of ${body.replayed}: healthy endpoints meanwhile p99 ${besideReplay} ms`);

  for (const id of [tarpit, drip, reset, again, ...endpoints]) await calls.delete(`/v1/webhooks/${id}`);
  const latency = await measureScans(fixture, receiver, calls);
  await nats.close();
  bad.close();
  await receiver.close();
  await fixture.remove();
  const { p50, p99 } = latency;
  record(args, 'webhooks', { cpuMicrosPerDelivery: cpuMicros });
  console.log(
    `webhooks alone_p99_ms ${alone} beside_bad_p99_ms ${beside} beside_replay_p99_ms ${besideReplay} most_places_of_one ${mostPlaces} scan_to_webhook_p50_ms ${p50} p99_ms ${p99}`,
  );
  const most = Math.min(1000, Math.max(2 * alone, 50));
  const isFair = beside <= most && besideReplay <= most && mostPlaces <= 10;
  if (!isFair || p50 > 300 || p99 > 1500) process.exitCode = 1;
}

/** One that accepts and never answers, one that drips a byte a second, one that resets. */
async function startBadPeers() {
  const kinds: ((socket: Socket) => void)[] = [
    () => undefined,
    socket => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
      const timer = setInterval(() => socket.write('x'), 1000);
      socket.on('close', () => clearInterval(timer));
    },
    socket => socket.once('data', () => socket.resetAndDestroy()),
  ];
  const sockets = new Set<Socket>();
  const servers = kinds.map(kind =>
    createServer(socket => {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
      kind(socket);
    }),
  );
  const ports = await Promise.all(
    servers.map(
      server =>
        new Promise<number>(resolve =>
          server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
        ),
    ),
  );
  return {
    urls: ports.map(port => `http://127.0.0.1:${port}/`),
    close() {
      for (const server of servers) server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function messageFor(accountId: string, endpoint: string): Message {
  const id = ids.next();
  const body = JSON.stringify({ event: 'scan.created', n: id });
  return {
    id,
    endpointId: parseId('whk', endpoint)!,
    accountId,
    mode: 'live',
    event: 'scan.created',
    qrCodeId: ids.next(),
    body,
    createdAt: new Date(),
  };
}

const forever = new AbortController().signal;

async function publishTo(queue: Queue, accountId: string, endpoint: string, count: number): Promise<void> {
  const messages = Array.from({ length: count }, () => messageFor(accountId, endpoint));
  const unsent = await queue.publish(messages, forever);
  if (unsent.length > 0) throw new Error(`The queue did not take ${unsent.length} of ${count} messages`);
}

/** The p99 from publishing an event to its arrival, in ms. */
async function measure(
  queue: Queue,
  accountId: string,
  receiver: Receiver,
  endpoints: readonly string[],
  forSeconds: number,
): Promise<number> {
  const sent = new Map<string, number>();
  const from = receiver.arrivals.length;
  const everyMs = 1000 / perSecond;
  const start = performance.now();
  for (let n = 0; n < perSecond * forSeconds; n++) {
    const message = messageFor(accountId, endpoints[n % endpoints.length]!);
    sent.set(message.body, Date.now());
    void queue.publish([message], forever);
    await sleep(Math.max(0, start + (n + 1) * everyMs - performance.now()));
  }
  const arrivals = () => receiver.arrivals.slice(from).filter(({ body }) => sent.has(body));
  await waitUntil('all has arrived', () => arrivals().length >= sent.size, { timeoutMs: 60_000 });
  return p99(arrivals().map(({ body, atMs }) => atMs - sent.get(body)!));
}

/** CPU time per delivery under full load. */
async function measureCpu(pid: number, receiver: Receiver, publish: () => Promise<void>): Promise<number> {
  const from = receiver.arrivals.length;
  const before = cpuMicrosOf(pid);
  await publish();
  await waitUntil('the burst has arrived', () => receiver.arrivals.length >= from + burst, {
    timeoutMs: 120_000,
  });
  return (cpuMicrosOf(pid) - before) / burst;
}

/** The highest concurrency observed for one endpoint. */
function watchPlaces(metricsUrl: string) {
  let most = 0;
  const timer = setInterval(async () => {
    const text = await fetch(metricsUrl).then(
      answer => answer.text(),
      () => '',
    );
    most = Math.max(
      most,
      Number(/signpost_webhooks_in_flight\{scope="busiest_endpoint"[^}]*\} (\d+)/.exec(text)?.[1] ?? 0),
    );
  }, 500);
  return {
    async stop() {
      clearInterval(timer);
      return most;
    },
  };
}

async function addFailed(
  fixture: WebhookFixture,
  accountId: string,
  endpoint: string,
  count: number,
): Promise<void> {
  await fixture.db.query(
    {
      name: 'bench-add-failed',
      text: `insert into webhook_messages (id, endpoint_id, account_id, mode, body, created_at, status, tries, attempts)
             select gen_random_uuid(), $1, $2, 'live', '{}', now(), 'failed', 11, 11 from generate_series(1, $3)`,
    },
    [parseId('whk', endpoint), accountId, count],
  );
}

/** Through the whole service: from the response to a phone to the first byte at the owner's server. */
async function measureScans(fixture: WebhookFixture, receiver: Receiver, calls: Calls) {
  const edge = await fixture.server({}, 'redirect');
  await fixture.server({}, 'ingest');
  await calls.webhook(`${receiver.url}/scans`);
  const { short_code: code } = await calls.code();
  const answered: number[] = [];
  const at = () => receiver.arrivals.filter(({ path }) => path === '/scans');
  const scan = async () => {
    const headers = { 'user-agent': `Mozilla/5.0 (iPhone; ${Math.random()}) Safari` };
    await ask({ url: `${edge.url}/${code}`, headers });
    answered.push(Date.now());
  };
  await scan();
  await waitUntil('the first has arrived', () => at().length === 1, { timeoutMs: 30_000 });
  answered.length = 0;
  const start = performance.now();
  const scans: Promise<void>[] = [];
  for (let n = 0; n < scansPerSecond * scanSeconds; n++) {
    scans.push(scan());
    await sleep(Math.max(0, start + ((n + 1) * 1000) / scansPerSecond - performance.now()));
  }
  await Promise.all(scans);
  await waitUntil('all has arrived', () => at().length > scans.length, { timeoutMs: 60_000 });
  // The event carries the time of the scan, which is before its response, so the figure is an upper bound.
  const ages = at()
    .slice(1)
    .map(({ body, atMs }) => atMs - Date.parse(JSON.parse(body).timestamp));
  return { p50: percentile(ages, 0.5), p99: p99(ages) };
}
