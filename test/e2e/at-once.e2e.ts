import { setTimeout as sleep } from 'node:timers/promises';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import { ask } from '@signpost/testing/client.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { startPostgres } from '@signpost/testing/engines/postgres.ts';
import { startRedis } from '@signpost/testing/engines/redis.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { type EngineProxy, startProxy } from '@signpost/testing/proxy.ts';
import { TestServer } from '@signpost/testing/server.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

/** A short run by default; AT_ONCE_EDITS=10000 checks the whole guarantee. */
const edits = Number(process.env.AT_ONCE_EDITS ?? ciScale(1000, 300));
const lanes = 32;
/** The round-trip time between one redirect and NATS. */
const natsRoundTripMs = 40;
const redisLivesMs = 7000;
/** How long a redirect may take to find that PostgreSQL is back: until then it serves the last known destination. */
const restMs = 100;

let nats: Engine;
let redis: Engine;
let postgres: Engine;
let far: EngineProxy;
let fixture: Fixture;
let api: TestServer;
let edges: TestServer[];

beforeAll(async () => {
  [nats, redis, postgres] = await Promise.all([startNats(), startRedis(), startPostgres()]);
  far = await startProxy(nats.port);
  far.delayMs = natsRoundTripMs / 2;
  fixture = await createFixture(
    { NATS_URL: nats.url, REDIS_URL: redis.url, UNKNOWN_CODES_PER_MINUTE: '100000000' },
    postgres.url,
  );
  await holdTransactionsOpen();
  api = await fixture.server();
  const distant = { ...fixture.env, NATS_URL: `nats://127.0.0.1:${far.port}` };
  edges = await Promise.all(
    [distant, fixture.env, fixture.env].map(env => TestServer.start('redirect', env)),
  );
});
afterAll(async () => {
  postgres.thaw();
  for (const edge of edges) {
    edge.kill('SIGCONT');
    await edge.end('SIGTERM');
  }
  await fixture.close();
  far.close();
  await Promise.all([nats.remove(), redis.remove(), postgres.remove()]);
});

/**
 * A change is numbered after its commit, whatever the order in which transactions wrote: each one stays open for up to 300 ms
 * between its insert into link_changes and its commit.
 */
async function holdTransactionsOpen(): Promise<void> {
  for (const text of [
    `create function hold_open() returns trigger language plpgsql as
       $$ begin perform pg_sleep(random() * 0.3); return null; end $$`,
    `create constraint trigger hold_open after insert on link_changes
       deferrable initially deferred for each row execute function hold_open()`,
  ])
    await fixture.db.query({ name: '', text });
}

/** The far redirect receives nothing for a second, without noticing. Then its connection breaks. */
async function deafen(): Promise<void> {
  far.silent = true;
  await sleep(1000);
  far.silent = false;
  far.cut();
}

const metricsOf = async (edge: TestServer) => String((await ask({ url: edge.metricsUrl })).body);
const metric = async (edge: TestServer, name: string, label = '') =>
  Number(
    new RegExp(`^signpost_${name}\\{[^}]*${label}[^}]*\\} (\\S+)$`, 'm').exec(await metricsOf(edge))![1],
  );

type Code = { id: string; path: string; expected: string };

/** The status and destination that a scan gets. */
const responseTo = async (edge: TestServer, code: Code) => {
  const { status, headers } = await ask({ url: `${edge.url}${code.path}`, timeoutMs: 30_000 });
  return status === 302 ? `302 ${headers.location}` : String(status);
};

test('edits, each followed at once by a scan on three processes, one far from NATS and deaf at times, one stopped and one killed, while transactions stay open, Redis comes back empty, NATS is killed and PostgreSQL freezes: none is stale', async () => {
  const { live, test: testKey } = await fixture.account();
  /** Every second lane uses test codes, each of which takes the short code of the one before it. */
  const isTest = (lane: number) => lane % 2 === 1;
  /** An edit that some process did not confirm gets a 503, and is sent again. */
  async function call(lane: number, method: string, path: string, body?: object) {
    const key = isTest(lane) ? testKey : live;
    const url = `${api.url}/v1/qrcodes${path}`;
    for (let tries = 1; ; tries++) {
      const answer = await ask({ method, url, key, timeoutMs: 30_000, ...(body ? { body } : {}) });
      if (answer.status !== 503 || tries === 10) return answer;
    }
  }
  const counts = { edits: 0, scans: 0, unanswered: 0, reused: -lanes / 2, silent: 0, silentOld: 0, stale: 0 };
  const failures = { redis: 0, nats: 0, postgres: 0, stopped: 0, killed: 0, deaf: 0, together: 0 };
  const finished = new AbortController();
  /** When PostgreSQL was last silent; without an end while it is. */
  let silence = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.NEGATIVE_INFINITY };

  async function create(lane: number): Promise<Code> {
    const destination = `https://example.com/${lane}/0`;
    const name = isTest(lane) ? { short_code: `Lane-${lane}` } : {};
    const wanted = { name: 'x', destination_url: destination, ...name };
    let { status, body } = await call(lane, 'POST', '', wanted);
    // Sent again after a 503, it may have been created the first time: then an edit invalidates it everywhere.
    if (status === 409) {
      const { body: list } = await call(lane, 'GET', '?limit=100');
      body = list.data.find((item: { short_url: string }) => item.short_url.endsWith(`/Lane-${lane}`));
      status = (await call(lane, 'PATCH', `/${body.id}`, { name: 'x' })).status === 200 ? 201 : 409;
    }
    expect(status).toBe(201);
    if (isTest(lane)) counts.reused++;
    return { id: body.id, path: new URL(body.short_url).pathname, expected: `302 ${destination}` };
  }

  async function edit(lane: number, code: Code, step: number): Promise<'deleted' | 'edited'> {
    const deleteEvery = isTest(lane) ? 6 : 20;
    const kind =
      step % deleteEvery === deleteEvery - 1
        ? 'delete'
        : step % 4 === 1
          ? 'pause'
          : step % 4 === 2
            ? 'resume'
            : 'move';
    if (kind === 'delete') {
      // Sent again after a 503, it may find the code already deleted.
      expect([200, 404]).toContain((await call(lane, 'DELETE', `/${code.id}`)).status);
      code.expected = '410';
      return 'deleted';
    }
    const destination = `https://example.com/${code.id}/${step}`;
    const body = kind === 'move' ? moveTo(destination, step) : { active: kind === 'resume' };
    const answer = await call(lane, 'PATCH', `/${code.id}`, body);
    expect(answer.status).toBe(200);
    code.expected = expectedOf(answer.body);
    return 'edited';
  }

  /** While PostgreSQL is silent, a redirect may serve the last known destination: no code can be edited then. */
  async function scan(edge: TestServer, code: Code): Promise<void> {
    const startMs = performance.now();
    let answer: string;
    try {
      answer = await responseTo(edge, code);
    } catch {
      // A killed process gives no response, so it gives no wrong one.
      counts.unanswered++;
      return;
    }
    counts.scans++;
    const isOld = answer !== code.expected;
    const wasSilent = startMs < silence.toMs && silence.fromMs < performance.now();
    if (wasSilent) {
      counts.silent++;
      if (isOld) counts.silentOld++;
    } else if (isOld) {
      counts.stale++;
      console.log(`stale on ${edges.indexOf(edge)}: ${answer} instead of ${code.expected}`);
    }
  }

  async function lane(number: number): Promise<void> {
    let code = await create(number);
    for (let step = 0; counts.edits < edits; step++) {
      const outcome = await edit(number, code, step);
      counts.edits++;
      await Promise.all(edges.map(edge => scan(edge, code)));
      if (counts.edits % 500 === 0) console.log(`${counts.edits} of ${edits} edits`);
      if (outcome !== 'deleted') continue;
      code = await create(number);
      // The short code was another test code's a moment ago, and every process has just invalidated that one.
      if (isTest(number)) await Promise.all(edges.map(edge => scan(edge, code)));
    }
  }

  const pause = (ms: number) => sleep(ms, undefined, { signal: finished.signal }).catch(() => {});
  const anyOf = <Choice>(...choices: readonly Choice[]) =>
    choices[Math.floor(Math.random() * choices.length)]!;

  async function suspendForAWhile(edge: TestServer): Promise<void> {
    failures.stopped++;
    edge.kill('SIGSTOP');
    await pause(anyOf(300, 3000));
    edge.kill('SIGCONT');
  }

  async function freezeForAWhile(): Promise<void> {
    failures.postgres++;
    silence = { fromMs: performance.now(), toMs: Number.POSITIVE_INFINITY };
    postgres.freeze();
    await pause(anyOf(300, 3000));
    postgres.thaw();
    await fixture.db.query({ name: 'is-back', text: 'select 1' });
    silence.toMs = performance.now() + restMs;
  }

  async function loseRedis(): Promise<void> {
    while (!finished.signal.aborted) {
      await redis.kill('SIGKILL');
      await redis.start();
      failures.redis++;
      await pause(redisLivesMs);
    }
  }

  async function causeFailures(): Promise<void> {
    const [, suspended, killed] = edges as [TestServer, TestServer, TestServer];
    for (let cycle = 0; !finished.signal.aborted; cycle++) {
      await pause(300 + Math.random() * 1200);
      const kind = (['both', 'stop', 'freeze'] as const)[cycle % 3]!;
      if (kind === 'both') failures.together++;
      await Promise.all([
        kind === 'freeze' ? undefined : suspendForAWhile(suspended),
        kind === 'stop' ? undefined : freezeForAWhile(),
      ]);
      await deafen();
      failures.deaf++;
      await pause(200);
      await killed.end('SIGKILL');
      await killed.start();
      failures.killed++;
      if (counts.edits > ((failures.nats + 1) * edits) / 4) {
        await nats.kill('SIGKILL');
        await nats.start();
        failures.nats++;
      }
    }
  }

  const failing = Promise.all([loseRedis(), causeFailures()]);
  await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number))).finally(() =>
    finished.abort(),
  );
  await failing;
  console.log(`at-once ${JSON.stringify({ ...counts, failures })}`);
  expect(counts.scans).toBeGreaterThan(edits);
  for (const [kind, times] of Object.entries(failures)) expect(times, kind).toBeGreaterThan(0);
  expect(counts.reused).toBeGreaterThan(0);
  expect(counts.stale).toBe(0);
  // Whatever failed, what they had missed could be told. The third was killed.
  for (const edge of edges.slice(0, 2)) expect(await metric(edge, 'link_memory_resets_total')).toBe(1);
}, 3_600_000);

/** By the destination itself, or by a rule before or after another one; also the fallback of a paused code changes. */
function moveTo(url: string, step: number): object {
  const never = { when: { country: ['AQ'] }, to: [{ url: 'https://example.com/never' }] };
  switch (step % 5) {
    case 0:
      return { destination_url: url };
    case 1:
      return { rules: [never, { to: [{ url }] }], fallback_url: `${url}/off` };
    case 2:
      return { rules: [{ when: { date: { from: '2020-01-01T00:00:00Z' } }, to: [{ url }] }, never] };
    case 3:
      return { rules: null, destination_url: url };
    default:
      return { rules: [{ to: [{ url }], unless: { device: ['other'] } }, never], fallback_url: null };
  }
}

type Body = {
  readonly active: boolean;
  readonly destination_url: string;
  readonly fallback_url: string | null;
  readonly rules: readonly {
    readonly when: object;
    readonly unless: object;
    readonly to: readonly { url: string }[];
  }[];
};

/** What a plain client of an unknown device gets. */
function expectedOf({ active, destination_url: destination, fallback_url: fallback, rules }: Body): string {
  if (!active) return fallback === null ? '404' : `302 ${fallback}`;
  const rule = rules.find(({ when, unless }) => !('country' in when) && !('device' in unless));
  return `302 ${rule ? rule.to[0]!.url : destination}`;
}

/** Codes in the memory of every redirect. */
async function createWarmCodes(key: string, count: number): Promise<Code[]> {
  const url = `${api.url}/v1/qrcodes`;
  const codes = await Promise.all(
    Array.from({ length: count }, async (_, i): Promise<Code> => {
      const destination = `https://example.com/warm/${i}`;
      const { body } = await ask({
        method: 'POST',
        url,
        key,
        body: { name: 'x', destination_url: destination },
        timeoutMs: 30_000,
      });
      return { id: body.id, path: new URL(body.short_url).pathname, expected: `302 ${destination}` };
    }),
  );
  await whenAllHoldLeases();
  // Twice: the invalidation of a new code is repeated within a second.
  await waitUntil('nothing is left to be repeated', async () => {
    const rows = await fixture.db.query({ name: 'changes-left', text: 'select from link_changes' });
    return rows.length === 0;
  });
  for (const edge of edges)
    for (const code of codes) expect(await responseTo(edge, code)).toBe(code.expected);
  return codes;
}

const whenAllHoldLeases = () =>
  waitUntil('all hold leases', async () => {
    const held = await Promise.all(edges.map(edge => metric(edge, 'lease_held')));
    return held.every(value => value === 1);
  });

async function move(key: string, code: Code, to: string): Promise<void> {
  const url = `${api.url}/v1/qrcodes/${code.id}`;
  const { status } = await ask({
    method: 'PATCH',
    url,
    key,
    body: { destination_url: to },
    timeoutMs: 30_000,
  });
  expect(status).toBe(200);
  code.expected = `302 ${to}`;
}

/** Every edge serves the changed code as it is now, and all others from memory. */
async function expectOnlyTheChangedDropped(codes: readonly Code[], changed: readonly Code[]): Promise<void> {
  for (const edge of edges)
    for (const code of changed) expect(await responseTo(edge, code)).toBe(code.expected);
  await whenAllHoldLeases();
  for (const edge of edges) {
    const before = await metric(edge, 'link_lookups_total', 'kind="database"');
    for (const code of codes)
      if (!changed.includes(code)) expect(await responseTo(edge, code)).toBe(code.expected);
    expect(await metric(edge, 'link_lookups_total', 'kind="database"')).toBe(before);
  }
}

test('a redirect that misses messages for a second drops what was changed meanwhile, and keeps its other links', async () => {
  const { live } = await fixture.account();
  const codes = await createWarmCodes(live, 30);
  const resets = await metric(edges[0]!, 'link_memory_resets_total');
  const deaf = deafen();
  const changed = codes.slice(0, 3);
  await Promise.all(
    changed.map(async (code, i) => {
      await move(live, code, `https://example.com/moved/${i}`);
      expect(await responseTo(edges[0]!, code)).toBe(code.expected);
    }),
  );
  await deaf;
  await expectOnlyTheChangedDropped(codes, changed);
  expect(await metric(edges[0]!, 'link_memory_resets_total')).toBe(resets);
});

test('edits made while NATS is away hold at once and when it is back, and other links stay in memory', async () => {
  const { live } = await fixture.account();
  const codes = await createWarmCodes(live, 30);
  const resets = await metric(edges[1]!, 'link_memory_resets_total');
  await nats.kill('SIGKILL');
  const changed = codes.slice(0, 3);
  for (const [i, code] of changed.entries()) {
    await move(live, code, `https://example.com/away/${i}`);
    for (const edge of edges) expect(await responseTo(edge, code)).toBe(code.expected);
  }
  await nats.start();
  await expectOnlyTheChangedDropped(codes, changed);
  expect(await metric(edges[1]!, 'link_memory_resets_total')).toBe(resets);
});

test('scans that a redirect without a lease is looking up when it is suspended get the current destination', async () => {
  const { live } = await fixture.account();
  const proxies = await Promise.all([postgres, redis, nats].map(({ port }) => startProxy(port)));
  const [toPostgres, toRedis, toNats] = proxies as [EngineProxy, EngineProxy, EngineProxy];
  const database = new URL(fixture.env.DATABASE_URL!);
  database.port = String(toPostgres.port);
  const edge = await TestServer.start('redirect', {
    ...fixture.env,
    DATABASE_URL: database.href,
    REDIS_URL: `redis://127.0.0.1:${toRedis.port}`,
    NATS_URL: `nats://127.0.0.1:${toNats.port}`,
  });
  onTestFinished(async () => {
    edge.kill('SIGCONT');
    await edge.end('SIGTERM');
    for (const proxy of proxies) proxy.close();
  });
  const codes = await createWarmCodes(live, 12);
  for (const code of codes) expect(await responseTo(edge, code)).toBe(code.expected);
  // It hears of no edit, so it loses its lease. Then each scan is a query that takes 50 ms.
  toRedis.silent = true;
  toNats.silent = true;
  await waitUntil('the lease is lost', async () => (await metric(edge, 'lease_held')) === 0);
  toPostgres.delayMs = 25;
  for (const [round, suspendedMs] of [2500, 300, 1200, 2500].entries()) {
    await Promise.all(codes.map(code => move(live, code, `https://example.com/suspended/${round}`)));
    const scans = codes.map((code, i) => sleep(8 * i).then(() => responseTo(edge, code)));
    // By now some scans are answered, some are looked up, and some are yet to come.
    await sleep(60);
    edge.kill('SIGSTOP');
    await sleep(suspendedMs);
    edge.kill('SIGCONT');
    expect(await Promise.all(scans)).toEqual(codes.map(({ expected }) => expected));
  }
});
