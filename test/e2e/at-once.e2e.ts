import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../tools/engines/engine.ts';
import { startNats } from '../../tools/engines/nats.ts';
import { startPostgres } from '../../tools/engines/postgres.ts';
import { startRedis } from '../../tools/engines/redis.ts';
import { ask } from '../support/client.ts';
import { effort } from '../support/effort.ts';
import { type EngineProxy, startProxy } from '../support/proxy.ts';
import { TestServer } from '../support/server.ts';
import { createWorld, type World } from '../support/world.ts';

/** A short run by default; AT_ONCE_EDITS=10000 for the whole proof. */
const edits = Number(process.env.AT_ONCE_EDITS ?? effort(1000, 600));
const lanes = 32;
/** How far one redirect is from NATS, there and back. */
const natsRoundTripMs = 40;
const redisLivesMs = 7000;
/** How long a redirect may take to find that PostgreSQL is back: until then it serves what it knew. */
const restMs = 100;

let nats: Engine;
let redis: Engine;
let postgres: Engine;
let far: EngineProxy;
let world: World;
let api: TestServer;
let edges: TestServer[];

beforeAll(async () => {
  [nats, redis, postgres] = await Promise.all([startNats(), startRedis(), startPostgres()]);
  far = await startProxy(nats.port);
  far.delayMs = natsRoundTripMs / 2;
  world = await createWorld(
    { NATS_URL: nats.url, REDIS_URL: redis.url, MISSES_PER_MINUTE: '100000000' },
    postgres.url,
  );
  api = await world.server();
  const distant = { ...world.env, NATS_URL: `nats://127.0.0.1:${far.port}` };
  edges = await Promise.all([distant, world.env, world.env].map(env => TestServer.start('redirect', env)));
});
afterAll(async () => {
  postgres.thaw();
  for (const edge of edges) {
    edge.kill('SIGCONT');
    await edge.end('SIGTERM');
  }
  await world.close();
  far.close();
  await Promise.all([nats.remove(), redis.remove(), postgres.remove()]);
});

type Code = { id: string; path: string; expected: string };

/** What a scan of the code must answer now. */
const answerOf = async (edge: TestServer, code: Code) => {
  const { status, headers } = await ask({ url: `${edge.url}${code.path}`, timeoutMs: 30_000 });
  return status === 302 ? `302 ${headers.location}` : String(status);
};

test('edits, each followed at once by a scan on three processes, one far from NATS, one stopped and one killed, while Redis comes back empty, NATS is killed and PostgreSQL freezes: none is stale', async () => {
  const { live, test: trial } = await world.account();
  /** Every second lane is of test codes, each of which takes the name of the one before it. */
  const isTest = (lane: number) => lane % 2 === 1;
  /** An edit that could not be confirmed everywhere says so with 503, and is sent again. */
  async function call(lane: number, method: string, path: string, body?: object) {
    const key = isTest(lane) ? trial : live;
    const url = `${api.url}/v1/qrcodes${path}`;
    for (let tries = 1; ; tries++) {
      const answer = await ask({ method, url, key, timeoutMs: 30_000, ...(body ? { body } : {}) });
      if (answer.status !== 503 || tries === 10) return answer;
    }
  }
  const counts = { edits: 0, scans: 0, unanswered: 0, reused: -lanes / 2, silent: 0, silentOld: 0, stale: 0 };
  const troubles = { redis: 0, nats: 0, postgres: 0, stopped: 0, killed: 0, together: 0 };
  const over = new AbortController();
  /** When PostgreSQL was last silent; open while it is. */
  let silence = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.NEGATIVE_INFINITY };

  async function create(lane: number): Promise<Code> {
    const destination = `https://example.com/${lane}/0`;
    const name = isTest(lane) ? { short_code: `Lane-${lane}` } : {};
    const wanted = { name: 'x', destination_url: destination, ...name };
    let { status, body } = await call(lane, 'POST', '', wanted);
    // Sent again after a 503, it may find that it was made the first time: then an edit makes sure that everybody heard.
    if (status === 409) {
      const { body: list } = await call(lane, 'GET', '?limit=100');
      body = list.data.find((one: { short_url: string }) => one.short_url.endsWith(`/Lane-${lane}`));
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
      // Sent again after a 503, it may find the code gone already.
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

  /** Where PostgreSQL is silent, a redirect may serve what it knew: nobody can edit then. */
  async function scan(edge: TestServer, code: Code): Promise<void> {
    const startMs = performance.now();
    let answer: string;
    try {
      answer = await answerOf(edge, code);
    } catch {
      // A process that was killed gives no answer; it has not given a wrong one.
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
      // The name of a test code was somebody's a moment ago, and every process has just heard that it is gone.
      if (isTest(number)) await Promise.all(edges.map(edge => scan(edge, code)));
    }
  }

  const pause = (ms: number) => sleep(ms, undefined, { signal: over.signal }).catch(() => {});
  const anyOf = <One>(...choices: readonly One[]) => choices[Math.floor(Math.random() * choices.length)]!;

  async function stopForAWhile(edge: TestServer): Promise<void> {
    troubles.stopped++;
    edge.kill('SIGSTOP');
    await pause(anyOf(300, 3000));
    edge.kill('SIGCONT');
  }

  async function freezeForAWhile(): Promise<void> {
    troubles.postgres++;
    silence = { fromMs: performance.now(), toMs: Number.POSITIVE_INFINITY };
    postgres.freeze();
    await pause(anyOf(300, 3000));
    postgres.thaw();
    await world.db.query({ name: 'is-back', text: 'select 1' });
    silence.toMs = performance.now() + restMs;
  }

  async function loseRedis(): Promise<void> {
    while (!over.signal.aborted) {
      await redis.kill('SIGKILL');
      await redis.start();
      troubles.redis++;
      await pause(redisLivesMs);
    }
  }

  async function makeTrouble(): Promise<void> {
    const [, sleeper, victim] = edges as [TestServer, TestServer, TestServer];
    while (!over.signal.aborted) {
      await pause(300 + Math.random() * 1200);
      const kind = anyOf('stop', 'freeze', 'both');
      if (kind === 'both') troubles.together++;
      await Promise.all([
        kind === 'freeze' ? undefined : stopForAWhile(sleeper),
        kind === 'stop' ? undefined : freezeForAWhile(),
      ]);
      await pause(200);
      await victim.end('SIGKILL');
      await victim.start();
      troubles.killed++;
      if (counts.edits > ((troubles.nats + 1) * edits) / 4) {
        await nats.kill('SIGKILL');
        await nats.start();
        troubles.nats++;
      }
    }
  }

  const trouble = Promise.all([loseRedis(), makeTrouble()]);
  await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number))).finally(() => over.abort());
  await trouble;
  console.log(`at-once ${JSON.stringify({ ...counts, troubles })}`);
  expect(counts.scans).toBeGreaterThan(edits);
  for (const [kind, times] of Object.entries(troubles)) expect(times, kind).toBeGreaterThan(0);
  expect(counts.reused).toBeGreaterThan(0);
  expect(counts.stale).toBe(0);
}, 3_600_000);
