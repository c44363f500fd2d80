import { setTimeout as sleep } from 'node:timers/promises';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import { ask } from '@signpost/testing/client.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { startPostgres } from '@signpost/testing/engines/postgres.ts';
import { startRedis } from '@signpost/testing/engines/redis.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { type EngineProxy, startProxy } from '@signpost/testing/proxy.ts';
import { TestServer } from '@signpost/testing/server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** A short run by default; AT_ONCE_EDITS=10000 for the whole proof. */
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

type Code = { id: string; path: string; expected: string };

/** The status and destination that a scan gets. */
const responseTo = async (edge: TestServer, code: Code) => {
  const { status, headers } = await ask({ url: `${edge.url}${code.path}`, timeoutMs: 30_000 });
  return status === 302 ? `302 ${headers.location}` : String(status);
};

test('edits, each followed at once by a scan on three processes, one far from NATS, one stopped and one killed, while Redis comes back empty, NATS is killed and PostgreSQL freezes: none is stale', async () => {
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
  const failures = { redis: 0, nats: 0, postgres: 0, stopped: 0, killed: 0, together: 0 };
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
    const body = kind === 'move' ? { destination_url: destination } : { active: kind === 'resume' };
    const answer = await call(lane, 'PATCH', `/${code.id}`, body);
    expect(answer.status).toBe(200);
    code.expected = answer.body.active ? `302 ${answer.body.destination_url}` : '404';
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
    while (!finished.signal.aborted) {
      await pause(300 + Math.random() * 1200);
      const kind = anyOf('stop', 'freeze', 'both');
      if (kind === 'both') failures.together++;
      await Promise.all([
        kind === 'freeze' ? undefined : suspendForAWhile(suspended),
        kind === 'stop' ? undefined : freezeForAWhile(),
      ]);
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
}, 3_600_000);
