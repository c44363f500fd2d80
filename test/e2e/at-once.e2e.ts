import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../tools/engines/engine.ts';
import { startNats } from '../../tools/engines/nats.ts';
import { startRedis } from '../../tools/engines/redis.ts';
import { ask } from '../support/client.ts';
import { effort } from '../support/effort.ts';
import { TestServer } from '../support/server.ts';
import { createWorld, type World } from '../support/world.ts';

/** A short run by default; AT_ONCE_EDITS=10000 for the whole proof. */
const edits = Number(process.env.AT_ONCE_EDITS ?? effort(1000, 500));

let nats: Engine;
let redis: Engine;
let world: World;
let api: TestServer;
let edges: TestServer[];

beforeAll(async () => {
  [nats, redis] = await Promise.all([startNats(), startRedis()]);
  world = await createWorld({ NATS_URL: nats.url, REDIS_URL: redis.url, MISSES_PER_MINUTE: '100000000' });
  api = await world.server();
  edges = await Promise.all([0, 1, 2].map(() => TestServer.start('redirect', world.env)));
});
afterAll(async () => {
  for (const edge of edges) {
    edge.kill('SIGCONT');
    await edge.end('SIGTERM');
  }
  await world.close();
  await nats.remove();
  await redis.remove();
});

type Code = { id: string; short_code: string; expected: string };

/** What a scan of the code must answer now. */
const answerOf = async (edge: TestServer, code: Code) => {
  const { status, headers } = await ask({ url: `${edge.url}/${code.short_code}`, timeoutMs: 30_000 });
  return status === 302 ? `302 ${headers.location}` : String(status);
};

test('edits, each followed at once by a scan on three processes of which one is stopped and one killed, and NATS killed: none is stale', async () => {
  const { live: key } = await world.account();
  /** An edit that could not be confirmed everywhere says so with 503, and is sent again. */
  async function call(method: string, path: string, body?: object) {
    const url = `${api.url}/v1/qrcodes${path}`;
    for (let tries = 1; ; tries++) {
      const answer = await ask({ method, url, key, timeoutMs: 30_000, ...(body ? { body } : {}) });
      if (answer.status !== 503 || tries === 10) return answer;
    }
  }
  const lanes = 8;
  let done = 0;
  let stale = 0;
  let scans = 0;
  let unanswered = 0;
  const stopped = new AbortController();

  async function create(lane: number): Promise<Code> {
    const destination = `https://example.com/${lane}/0`;
    const { body } = await call('POST', '', { name: 'x', destination_url: destination });
    return { id: body.id, short_code: body.short_code, expected: `302 ${destination}` };
  }

  async function edit(code: Code, step: number): Promise<'deleted' | 'edited'> {
    const kind = step % 20 === 19 ? 'delete' : step % 4 === 1 ? 'pause' : step % 4 === 2 ? 'resume' : 'move';
    if (kind === 'delete') {
      // Sent again after a 503, it may find the code gone already.
      expect([200, 404]).toContain((await call('DELETE', `/${code.id}`)).status);
      code.expected = '410';
      return 'deleted';
    }
    const destination = `https://example.com/${code.id}/${step}`;
    const body = kind === 'move' ? { destination_url: destination } : { active: kind === 'resume' };
    const answer = await call('PATCH', `/${code.id}`, body);
    expect(answer.status).toBe(200);
    code.expected = answer.body.active ? `302 ${answer.body.destination_url}` : '404';
    return 'edited';
  }

  async function lane(number: number): Promise<void> {
    let code = await create(number);
    for (let step = 0; done < edits; step++) {
      const outcome = await edit(code, step);
      done++;
      await Promise.all(
        edges.map(async edge => {
          try {
            const answer = await answerOf(edge, code);
            scans++;
            if (answer !== code.expected) {
              stale++;
              console.log(`stale on ${edges.indexOf(edge)}: ${answer} instead of ${code.expected}`);
            }
          } catch {
            // A process that was killed gives no answer; it has not given a wrong one.
            unanswered++;
          }
        }),
      );
      if (outcome === 'deleted') code = await create(number);
    }
  }

  async function trouble(): Promise<void> {
    const [sleeper, victim] = [edges[1]!, edges[2]!];
    let natsRestarted = false;
    while (!stopped.signal.aborted) {
      await sleep(300 + Math.random() * 1200);
      sleeper.kill('SIGSTOP');
      await sleep(100 + Math.random() * 2600);
      sleeper.kill('SIGCONT');
      await sleep(200);
      await victim.end('SIGKILL');
      await victim.start();
      if (!natsRestarted && done > edits / 3) {
        natsRestarted = true;
        await nats.kill('SIGKILL');
        await nats.start();
      }
      if (done > 0 && done % 50 === 0) console.log(`${done} of ${edits} edits`);
    }
    expect(natsRestarted).toBe(true);
  }

  const troubles = trouble();
  await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
  stopped.abort();
  await troubles;
  console.log(`at-once edits ${done} scans ${scans} unanswered ${unanswered} stale ${stale}`);
  expect(scans).toBeGreaterThan(edits);
  expect(stale).toBe(0);
}, 3_600_000);
