import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitUntil } from '../../tools/engines/wait.ts';
import { ask } from '../support/client.ts';
import { type ClockScene, createClockScene, enter, sessionDays } from '../support/clock-scene.ts';
import { goodPassword, newEmail } from '../support/people.ts';
import { TestServer } from '../support/server.ts';
import { createWrongClock, type WrongClock } from '../support/wrong-clock.ts';

const people = 5;
const person = { email: newEmail(), password: goodPassword };
const startMs = Date.now();

let scene: ClockScene;
let owner: TestServer;
let code: { readonly id: string; readonly short_code: string };
let key: string;
let cookie: string;
let scans = 0;

/** The same address and user agent each time, so that nobody is new after the first round. */
async function scan(edge: TestServer, who: number): Promise<void> {
  const headers = { 'x-forwarded-for': `203.0.113.${who}`, 'user-agent': `Mozilla/5.0 (iPhone) ${who}` };
  expect((await ask({ url: `${edge.url}/${code.short_code}`, headers })).status).toBe(302);
  scans++;
}

async function everybodyScans(edge: TestServer): Promise<void> {
  for (let who = 0; who < people; who++) await scan(edge, who);
}

const counts = async (api: TestServer) => (await ask({ url: `${api.url}/v1/qrcodes/${code.id}`, key })).body;
const allAreCounted = (api: TestServer) =>
  waitUntil('every scan is counted', async () => (await counts(api)).total_scans === scans);

const createOnce = (api: TestServer) =>
  ask({
    method: 'POST',
    url: `${api.url}/v1/qrcodes`,
    key,
    body: { name: 'Once', destination_url: 'https://example.com/once' },
    headers: { 'idempotency-key': 'one order' },
  });

beforeAll(async () => {
  scene = await createClockScene();
  const { world } = scene;
  const started = await Promise.all(
    ['api', 'redirect', 'ingest'].map(role => TestServer.start(role, world.env)),
  );
  const [api, edge] = started as [TestServer, TestServer];
  owner = started[2]!;
  key = (await world.account()).live;
  code = (await createOnce(api)).body;
  cookie = await enter(api, 'sign-up', { name: 'Somebody', ...person });
  await everybodyScans(edge);
  await allAreCounted(api);
  await Promise.all(started.map(server => server.end('SIGTERM')));
});
afterAll(() => scene?.close());

/** The one that counts starts under a right clock, and tidies: what is planted after that is left to the others. */
async function startOwner(): Promise<void> {
  await scene.plantOld('table');
  await owner.start();
  await waitUntil('the owner of the shard has tidied', scene.oldIsGone);
}

/** An API, a redirect, and an ingest that stands by while another works on the shard. */
async function startUnder(clock: WrongClock) {
  const env = { ...scene.world.env, ...clock.env };
  const all = await Promise.all(['api', 'redirect', 'ingest'].map(role => TestServer.start(role, env)));
  const [api, edge, standby] = all as [TestServer, TestServer, TestServer];
  return { api, edge, standby, all };
}

const gauge = async (server: TestServer, name: string) => {
  const text = await (await fetch(server.metricsUrl)).text();
  return Number(new RegExp(`^${name}\\S* (\\S+)$`, 'm').exec(text)?.[1]);
};

const daySeconds = 24 * 60 * 60;
const daysOf = (offset: string) => Number.parseInt(offset, 10);
const skewIs = (servers: readonly TestServer[], offset: string) =>
  waitUntil(`the skew is ${offset}`, async () => {
    const skews = await Promise.all(servers.map(server => gauge(server, 'signpost_clock_skew_seconds')));
    return skews.every(skew => Math.abs(skew - daysOf(offset) * daySeconds) < 60);
  });

const differs = '"msg":"clock differs from PostgreSQL"';
const agrees = '"msg":"clock agrees with PostgreSQL again"';
const linesOf = (server: TestServer, line: string) => server.log().split(line).length - 1;

async function scansGoOnWhile(edge: TestServer, work: () => Promise<void>): Promise<void> {
  let isOver = false;
  const scanning = (async () => {
    for (let n = 0; !isOver; n++) {
      await scan(edge, n % people);
      await pause(10);
    }
  })();
  await work().finally(() => {
    isOver = true;
  });
  await scanning;
}

test.each([
  { from: '+40d', to: ['+0', '-40d'], told: 2 },
  { from: '-40d', to: ['+40d', '+0'], told: 1 },
])(
  'an api, a redirect and a standby ingest at $from that jump to $to while they run delete nothing, count nothing twice, and see nobody as new',
  async ({ from, to, told }) => {
    await startOwner();
    const before = await scene.kept();
    await scene.plantOld('batch', 'table', 'salt', 'answer');
    const clock = createWrongClock(from);
    const { api, edge, standby, all } = await startUnder(clock);
    try {
      await waitUntil('what is due by the right time has gone', scene.oldIsGone);
      expect(await scene.kept()).toEqual(before);
      await skewIs(all, from);
      for (const server of all) {
        expect(await gauge(server, 'signpost_clock_measured')).toBe(1);
        await waitUntil('it says so', () => linesOf(server, differs) === 1);
      }

      expect((await ask({ url: `${api.url}/auth/sessions`, headers: { cookie } })).status).toBe(200);
      await enter(api, 'sign-in', person);
      expect(await scene.daysOfNewestSession()).toBeCloseTo(sessionDays, 2);
      const again = await createOnce(api);
      expect([again.headers['idempotent-replayed'], again.body.id]).toEqual(['true', code.id]);

      await everybodyScans(edge);
      await scansGoOnWhile(edge, async () => {
        for (const offset of to) {
          clock.set(offset);
          await skewIs(all, offset);
          if (offset === '+0')
            await waitUntil('all agree', () => all.every(one => linesOf(one, agrees) === 1));
        }
      });
      await waitUntil('all have said so', () => all.every(one => linesOf(one, differs) === told));

      await allAreCounted(api);
      // The one that stood by takes over.
      await owner.end('SIGKILL');
      await scene.logAgain();
      await everybodyScans(edge);
      await allAreCounted(api);
      expect(await counts(api)).toMatchObject({ total_scans: scans, unique_scans: people });
      await waitUntil('every scan is stored', async () => (await scene.stored()).length >= scans);
      const times = await scene.stored();
      expect(times).toHaveLength(scans);
      expect(times.flat().filter(ms => ms < startMs - 1_000 || ms > Date.now() + 1_000)).toEqual([]);

      const after = await scene.kept();
      for (const [kind, things] of Object.entries(before))
        expect(things.filter(one => !after[kind as keyof typeof after].includes(one))).toEqual([]);
      expect(after.tables).toEqual(before.tables);
      expect(after.salts).toEqual(before.salts);
      for (const server of all) expect(linesOf(server, differs)).toBe(told);
      expect(linesOf(standby, '"msg":"old batch ids and visitor tables removed"')).toBe(1);
      expect(linesOf(edge, '"msg":"old salts destroyed"')).toBe(1);
    } finally {
      await Promise.all([...all, owner].map(server => server.end('SIGTERM')));
    }
  },
);
